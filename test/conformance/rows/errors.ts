import { type Proof, row, rowsOf, type Section, testsIn } from '../row.ts';

const catalogue = testsIn('test/audit/errors.test.ts');
const locate = testsIn('src/features/locations/test/locate.api.test.ts');
const reports = testsIn('src/features/location-reports/test/read-report.api.test.ts');
const create = testsIn('src/features/location-reports/test/create-report.api.test.ts');
const exclusions = testsIn('src/features/consents/test/exclusions.api.test.ts');
const levels = testsIn('src/features/consents/test/levels.api.test.ts');
const activation = testsIn('src/features/managed-accounts/test/activation.api.test.ts');
const house = testsIn('test/house/http-house.test.ts');
const sessions = testsIn('src/features/sessions/test/location-sessions.api.test.ts');
const formats = testsIn('test/house/error-formats.test.ts');

const refused = (what: string) => locate(`refuses ${what}, and bills nothing`);
const notTaken = (what: string) => exclusions(`400: refuses ${what}, and nothing changes`);
const NETWORK = 'answers 400 when it says that it cannot, and 500 when it is not reached, billing nothing';

/** A row of an error table is in the catalogue word by word, and something is refused with it. */
const error = (words: string, meaning: string, provoked: readonly Proof[]) =>
  row(words, meaning, catalogue(`have the row: ${words}`), provoked);

const requests: Section = {
  number: '7.2',
  title: 'Request errors of the location area',
  rows: [
    error(
      '400 INVALID_PARAMETER Unable to Cancel',
      'locations were completed already',
      reports('400: cannot cancel a report that is <status>'),
    ),
    error(
      '400 INVALID_PARAMETER Invalid JSON.',
      'the body is no JSON',
      locate('refuses a body that is no JSON'),
    ),
    error('400 INVALID_PARAMETER Device not found', 'devices were not found', refused('an unknown device')),
    error(
      '400 CACHE_UNAVAILABLE Location cache has no data for this device',
      'nothing is cached',
      refused('a device without a cached position when only that is wanted'),
    ),
    error(
      '400 INVALID_PARAMETER Conflicting device list',
      'a level for all devices and a list',
      levels('400: refuses a level together with a device list, also one that is null'),
    ),
    error(
      '400 INVALID_PARAMETER Consent check failed',
      'the device is excluded',
      locate('refuses an excluded device, also for its cached position'),
    ),
    error(
      '400 INVALID_PARAMETER Ownership or MDN validation failed',
      "the number is not the device's",
      refused('a number that is not the device’s'),
    ),
    error(
      '400 INVALID_PARAMETER UWS verification failure (account not found)',
      'the account of a path does not exist',
      sessions('400: an account of a path that does not exist'),
    ),
    error(
      '400 INVALID_PARAMETER UWS verification failure (The Session has expired.)',
      'the session has expired',
      sessions('400: a session that is absent, unknown or expired, each in its words'),
    ),
    error(
      '400 INVALID_PARAMETER Device type check failed',
      'no IoT device',
      refused('a device that is no IoT device'),
    ),
    error(
      '400 INVALID_PARAMETER Invalid account name',
      'the account does not exist',
      refused('an account that does not exist'),
    ),
    error(
      '400 INVALID_PARAMETER Unregistered account',
      'not registered for location',
      refused('an account that is not registered for location'),
    ),
    error(
      '400 INVALID_PARAMETER Invalid accuracy mode.',
      'an unknown accuracy mode',
      refused('an unknown accuracy mode'),
    ),
    error('400 INVALID_PARAMETER Invalid cache mode', 'not 0, 1 or 2', refused('an unknown cache mode')),
    error('400 INVALID_PARAMETER Empty device list', 'no devices', refused('no devices')),
    error(
      '400 INVALID_PARAMETER Per request max devices exceeded',
      'more than 10,000 devices in a report',
      create('refuses 10,001 devices, stores nothing and bills nothing'),
    ),
    error(
      '400 INVALID_PARAMETER Duplicate devices in deviceList.',
      'a device twice',
      refused('a device twice'),
    ),
    error(
      '400 INVALID_PARAMETER Input Binding Error',
      'JSON of another shape',
      refused('a list that is none'),
    ),
    error(
      '400 INVALID_PARAMETER Invalid device kind',
      'not IMEI, MEID or ESN',
      refused('a kind that cannot be located by'),
    ),
    error(
      '400 INVALID_PARAMETER Invalid device ID format',
      'the identifier does not fit its kind',
      refused('an identifier that does not fit its kind'),
    ),
    error('400 INTERNAL_ERROR Failed to get location', 'the source says that it cannot', locate(NETWORK)),
    error(
      '400 INTERNAL_ERROR Fail to verify device',
      'the device could not be verified',
      refused('a device without a line'),
    ),
    error(
      '400 PARAMETER_ERROR Ownership or MDN validation failed',
      'a device to exclude is not in the account',
      notTaken('an unknown device'),
    ),
    error(
      '400 PARAMETER_ERROR Conflicting device list',
      'allDevice and a list',
      notTaken('allDevice true with a list'),
    ),
    error(
      '400 PARAMETER_ERROR Max exclusion devices over limit',
      'more than 2,000 devices',
      notTaken('a list of more than 2,000'),
    ),
    error(
      '400 PARAMETER_ERROR Invalid device ID format.',
      'what is no identifier',
      notTaken('what is no identifier'),
    ),
    error(
      '400 PARAMETER_ERROR Duplicate exclusion devices.',
      'a device twice',
      notTaken('an identifier twice'),
    ),
    error(
      '401 INVALID_ACCESS Access policy denied the operation',
      'the user may not use the account',
      locate("refuses another customer's account whatever the body"),
    ),
    error(
      '500 INTERNAL_ERROR Internal system error.',
      'something broke',
      formats('500: a failure inside is an internal error of the area, which tells nothing'),
    ),
    error('500 INTERNAL_ERROR Failed to get location', 'the source is not reached', locate(NETWORK)),
  ],
};

const managed: Section = {
  number: '7.2 managed accounts',
  title: 'Errors of managed accounts',
  rows: [
    error(
      '400 INVALID_PARAMETER Acct Not Provisioned With Provided Parameters. Check service & type fields',
      'not added so',
      activation('Acct Not Provisioned: not added at all, or cancelled since'),
    ),
    error(
      '400 INVALID_PARAMETER Invalid Service Name',
      'an unknown service',
      activation('Invalid Service Name: before anything else about the request'),
    ),
    error(
      '400 INVALID_PARAMETER Primary account not registered',
      'it manages nobody',
      activation(
        'Primary account not registered: it never managed an account, is unknown, or another customer’s',
      ),
    ),
    error(
      '400 INVALID_PARAMETER Txd Mismatch',
      'another transaction id',
      activation('Txd Mismatch: the id is of no action on the account, or no id'),
    ),
    error(
      '400 INVALID_PARAMETER UWS account validation failed (contact has no access to the account)',
      "not the account's credentials",
      activation("contact has no access: a user who may use the account, which is not the user's home"),
    ),
  ],
};

export const errors: readonly Section[] = [
  {
    number: '7.1',
    title: 'Formats',
    rows: [
      ...rowsOf(
        {
          'location, usage triggers, managed accounts': 'errorCode and errorMessage',
          'price plan triggers': 'error and error_description',
          'device management': 'error, error_description and cause',
        },
        [
          ...formats('<method> <path>: refuses in the format of its area'),
          ...house('that are not JSON get the 400 of the area'),
        ],
      ),
      row(
        'SIM Secure',
        'its own code where accountName is missing',
        testsIn('src/features/sim-secure/test/subscriptions.api.test.ts')(
          "says in the interface's own words that accountName is absent",
        ),
      ),
    ],
  },
  requests,
  managed,
  {
    number: '7.3',
    title: 'Per-device errors',
    rows: [
      row(
        'the 36 types',
        'each is known, and answered when the network says so',
        testsIn('src/kernel/device-error.test.ts')(
          'are those of the interface',
          'are 36, each once, each with a sentence',
          'follow the configured prefix where they carry one',
        ),
        locate('answers <type> when the network says so'),
      ),
      row(
        'offline devices',
        'an error in the entry, and another try when reachable',
        testsIn('test/flows/locations.flow.test.ts')(
          'locates an offline device again when it comes back, changes its entry, bills it and says so',
        ),
      ),
    ],
  },
];
