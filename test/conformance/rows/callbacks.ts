import { row, type Section, testsIn } from '../row.ts';

const events = testsIn('src/features/callbacks/payloads/test/events.test.ts');
const listeners = testsIn('src/features/callbacks/test/listeners.api.test.ts');
const attempts = testsIn('test/flows/callback-attempts.flow.test.ts');
const resend = testsIn('test/flows/callback-resend.flow.test.ts');
const devices = testsIn('test/flows/devices.flow.test.ts');
const suspensions = testsIn('test/flows/suspensions.flow.test.ts');

const REGISTERED = listeners(
  '200: takes every name of the interface in any letter case, on every path into one registry',
);
const names = testsIn('src/features/callbacks/test/service-names.api.test.ts');
const named = (name: string) => names(`${name} is registered, listed and delivered`);
const valid = (...names: readonly string[]) =>
  events(...names.map((name) => `${name}: the sample is valid, and nothing that is not described would be`));
const exact = (name: string) => events(`${name}: has exactly the documented members`);

/** Sent by Linekeeper itself. */
const own = [
  row(
    'AlertService',
    'conditions of triggers were met',
    named('AlertService'),
    testsIn('src/features/trigger-notifications/test/notify-firings.test.ts')(
      'is a callback that names the line, the plan, the counter and the threshold in the unit of the trigger',
    ),
  ),
  row(
    'CarrierService',
    'results of requests that change devices, licences too',
    named('CarrierService'),
    devices(
      'that nobody knew is activated: the callback brings its line, and the listing shows it',
      'gets another plan, which takes effect at once',
    ),
    testsIn('src/features/sim-secure/test/assign.api.test.ts')(
      '200: gives each device a licence and tells of each',
    ),
  ),
  row(
    'DeviceSuspensionStatus',
    'which devices are suspended',
    named('DeviceSuspensionStatus'),
    testsIn('src/features/device-lifecycle/test/suspend.api.test.ts')(
      '200: tells by DeviceSuspensionStatus which lines are suspended since when and until when',
    ),
  ),
  row(
    'DeviceUsage',
    'usage that was asked for',
    named('DeviceUsage'),
    testsIn('src/features/billing-summary/test/device-usage.api.test.ts')(
      '200: tells the bytes of each device of the account that used something, from the first day to the last',
    ),
  ),
  row(
    'ExternalProvisioningChanges',
    'changes made outside the interface',
    named('ExternalProvisioningChanges'),
    testsIn('src/features/device-lifecycle/test/provisioning-changes.test.ts')(
      'of every change of state by its name',
      'of another plan and other identifiers, one message for each',
    ),
  ),
  row(
    'ResumeTrackingNotification',
    '7 days before a suspension ends',
    named('ResumeTrackingNotification'),
    suspensions('is announced 7 days before its end and ends by itself, each at its moment and once'),
  ),
  row(
    'SubscriptionNotificationService',
    'data will be throttled',
    named('SubscriptionNotificationService'),
    testsIn('src/features/trigger-notifications/test/throttling.test.ts')(
      'is sent when a line reaches the point where its plan throttles, without any trigger',
    ),
  ),
];

/** Registered, described, and sent on for systems beside Linekeeper that know of them. */
const RELAY: Readonly<Record<string, readonly [string, ...string[]]>> = {
  DevicePRLInformation: ['PRL values', 'prlInformation'],
  DeviceProfileService: ['changes of profiles', 'deviceProfile'],
  DeviceService: ['availability lists and uploads', 'device'],
  DiagnosticsService: ['devices that wake or sleep', 'diagnostics'],
  EnhancedConnectivityService: ['SMS of devices, and that SMS were sent', 'deviceMessage', 'smsSent'],
  IntelligenceService: ['network conditions and coverage', 'intelligence'],
  NiddService: ['NIDD configuration and data', 'niddUplink', 'niddDelivery', 'niddConfig'],
  PromoChanges: ['a promotion was removed', 'promoChange'],
  SMSDeliveryConfirmation: ['an SMS was acknowledged', 'smsDelivery'],
  StateService: ['results of go-to-state requests', 'state'],
};
const relayed = Object.entries(RELAY).map(([name, [says, ...kinds]]) =>
  row(name, `${says}; sent on through the operator API`, named(name), valid(...kinds)),
);

export const callbacks: readonly Section[] = [
  {
    number: '6.1',
    title: 'Callback service names',
    rows: [
      ...own,
      ...relayed,
      row('reserved names', 'cannot be registered', names('<name> is reserved and cannot be registered')),
      row(
        'the older interface',
        'a service registered there cannot be registered here',
        listeners('400: leaves alone what is registered through the older interface'),
      ),
    ],
  },
  {
    number: '6.2',
    title: 'Registration rules',
    rows: [
      row(
        'rule 1',
        'the url must be reachable, on one of the ports',
        listeners(
          '400: refuses a port outside the list and changes nothing',
          '400: refuses a private address and changes nothing',
        ),
        testsIn('src/adapters/callback-http/test/address-rules.test.ts')(
          'the ports are those of the interface, and any above 1024 only where loopback is open and meant',
        ),
      ),
      row(
        'rule 2',
        'one registration for each name and account',
        listeners('200: replaces a listener whole, keeps its secret, and rotates it when asked to'),
      ),
      row(
        'rule 3',
        'username and password optional, 40 characters at most',
        listeners('400: refuses a username over 40 characters and changes nothing'),
        testsIn('src/features/callbacks/payloads/test/envelope.test.ts')(
          'leaves unset credentials out and keeps the order of the interface',
        ),
      ),
      row(
        'rule 4',
        'a 2xx acknowledges; four attempts 5 minutes apart; failed ones kept 30 days and re-sent by request id',
        attempts(
          'gets four attempts, each 300 s after the end of the one before and never early, then it has failed',
          'is acknowledged by any 2xx and by nothing else: a redirect is not followed',
        ),
        testsIn('test/flows/callback-purge.flow.test.ts')(
          'keeps failed ones for 30 days and delivered ones for 7',
        ),
        resend('without a listener wait in the archive and are re-sent by request id, counting from 1'),
      ),
      row(
        'rule 5',
        'the callback has the id that was answered',
        devices('is suspended, announced and resumed by itself, all with the id of the request'),
        testsIn('test/flows/billing-summary.flow.test.ts')(
          'arrives at the DeviceUsage listener with the id that was answered, its credentials and its count',
        ),
      ),
      row(
        'rule 6',
        'a test environment needs a reachable url; the sandbox reaches its own machine',
        testsIn('src/adapters/callback-http/test/address-text.test.ts')(
          'may be of this machine, and then on ports above 1024, only where the setting says so',
        ),
      ),
    ],
  },
  {
    number: '6.3',
    title: 'Callback payloads',
    rows: [
      row(
        'envelope',
        'credentials, ids, response, status, count and its limit',
        attempts('arrives with the credentials, its count and a signature that verifies'),
      ),
      row(
        'plan change',
        'changeServicePlanResponse.effectiveDate',
        exact('planChange'),
        testsIn('src/features/plan-change/test/change.api.test.ts')(
          '200: tells of devices by imei, imsi, msisdn, iccid, mdn and min alone, of failures too',
        ),
      ),
      row(
        'activate',
        'activateResponse with numbers, address, plan, features and credential',
        exact('activate'),
        testsIn('src/features/device-lifecycle/test/activate.api.test.ts')(
          'makes a known line active on the plan, with numbers, an address and a credential of its own',
        ),
      ),
      row(
        'suspend',
        'suspendResponse with a date and three counts',
        exact('suspend'),
        testsIn('src/features/device-lifecycle/test/suspend.api.test.ts')(
          'suspends active lines, and tells the four numbers in days of the account',
        ),
      ),
      row(
        'restore',
        'restoreResponse.restored',
        exact('restore'),
        testsIn('src/features/device-lifecycle/test/suspend.api.test.ts')(
          '200: makes suspended lines active and ends their suspension; others fail',
        ),
      ),
      row(
        'pay-as-you-go trigger fired',
        'alertServiceResponse.payAsYouGo',
        exact('payAsYouGoAlert'),
        events('alerts spell kinds and cycles in capitals and time as ISO'),
      ),
      row(
        'group share trigger fired',
        'alertServiceResponse.accountGroupShare',
        exact('accountGroupShareAlert'),
        testsIn('src/features/trigger-notifications/alert.test.ts')(
          'has the moves beside by how much they change the pool, in the direction in which they are made',
        ),
      ),
      row(
        'consent report',
        'nested under message when it succeeds; 10,000 coarse devices or one precise',
        exact('consentReport'),
        exact('consentFailure'),
        testsIn('test/flows/consents.flow.test.ts')(
          'about coarse location: one callback with every device that has a name in the location area',
          'about precise location: one callback for each device, all with the same transaction id',
          'come in parts of 10,000 devices, each device once',
          'have an error at the top level for a device that was deleted meanwhile, and the others succeed',
        ),
      ),
      row(
        'billing data summary',
        'billingUsageSummary',
        events(
          'a billing summary has usage by APN or by rating group, and device and label where they were named',
        ),
        testsIn('src/features/billing-summary/test/billed.api.test.ts')(
          'answers an id at once, kept with its job, and the summary comes as DeviceUsage callback with that id',
        ),
      ),
    ],
  },
  {
    number: '2.12 and 4.9',
    title: 'Callback listeners',
    rows: [
      row(
        'registration',
        'name, url, username and password',
        listeners(
          '200: answers both spellings of the names, and the secret in a header',
          '400: refuses an unknown name and changes nothing',
          '200: shows username and password to the owner, and keeps them sealed',
        ),
      ),
      row(
        'GET /fota/v1/callbacks/{accountName}',
        'the listeners of the account; empty when none; an unset url reads undefined',
        REGISTERED,
        listeners('is an empty list on every path', '200: without a url it lists as the word undefined'),
      ),
    ],
  },
];
