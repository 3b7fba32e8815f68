import { row, type Section, testsIn } from '../row.ts';

const activation = testsIn('src/features/managed-accounts/test/activation.api.test.ts');
const managedList = testsIn('src/features/managed-accounts/test/list.api.test.ts');
const house = testsIn('test/house/http-house.test.ts');
const sessions = testsIn('src/features/sessions/test/sessions.api.test.ts');
const https = testsIn('src/adapters/callback-http/test/https.test.ts');
const attempts = testsIn('test/flows/callback-attempts.flow.test.ts');
const ACTIVATED = 'succeeds with a new transaction id, in both spellings, and the service as it is spelt';
const FAILED =
  '200: fails for an account that is activated, by the id of its addition and of its activation, and names the latter';

export const accounts: readonly Section[] = [
  {
    number: '1',
    title: 'Conventions',
    rows: [
      row(
        'base_url',
        'up to the api segment; a setting',
        house('prefix and base path are settings that everything follows'),
      ),
      row(
        'account names',
        'text with leading zeros, usually ten digits, a dash and five',
        testsIn('src/kernel/account-name.test.ts')(
          'is 1 to 32 digits and dashes, with leading zeros, of the usual shape or another',
          'is nothing else',
        ),
      ),
      row(
        'SVC',
        'stands for the prefix: header, SKUs and per-device error types follow a setting',
        house('prefix and base path are settings that everything follows'),
        testsIn('src/kernel/device-error.test.ts')('follow the configured prefix where they carry one'),
      ),
      row(
        'bodies',
        'JSON',
        house('are read as JSON with Content-Type <type>', 'that are not JSON get the 400 of the area'),
      ),
    ],
  },
  {
    number: '2.6',
    title: 'Managed account activation',
    rows: [
      row('txid, accountName, paccountName, serviceName', 'of the activation', activation(ACTIVATED)),
      row('status and reason', 'Success, or Fail and why', activation(ACTIVATED, FAILED)),
    ],
  },
  {
    number: '4.4',
    title: 'Managed account activation',
    rows: [
      row(
        'POST /subsc/v1/managedaccounts/actions/provision',
        'activates with the last transaction id',
        activation(
          ACTIVATED,
          'reads the transaction id as TxId and as txid, in any letter case; null is absent',
        ),
      ),
      row(
        'the session',
        "made with the managed account's credentials",
        activation("contact has no access: a user who may use the account, which is not the user's home"),
      ),
      row(
        'the accounts',
        'enabled for aggregated billing',
        activation('200: fails when <which> is no longer enabled for aggregated billing'),
      ),
    ],
  },
  {
    number: '4.10',
    title: 'Operations without a shape',
    rows: [
      row(
        'POST /locations',
        'locates while the caller waits',
        testsIn('src/features/locations/test/locate.api.test.ts')(
          'answers each device in the order of the request, with its number and where it is now',
        ),
      ),
      row(
        'POST /locationreports',
        'locates by and by',
        testsIn('src/features/location-reports/test/create-report.api.test.ts')(
          'is queued, then completed by a worker, with every device in the order of the request',
        ),
      ),
      row(
        'GET /managedaccounts',
        'by account and service',
        managedList(
          '200: lists those added and those activated with their last ids, each list in both capitalisations',
        ),
      ),
      row(
        'GET /plans/{accountname}',
        'a list of plans',
        testsIn('src/features/plans/test/plans.api.test.ts')(
          '200: lists the plans by code, with their size in KB of 1,024 bytes and 0 where there is none',
        ),
      ),
      row(
        'callback registration',
        'POST on the path of the list',
        testsIn('src/features/callbacks/test/listeners.api.test.ts')(
          '200: answers both spellings of the names, and the secret in a header',
        ),
      ),
      row(
        'creation of a usage trigger',
        'POST /subsc/v1/usage/triggers',
        testsIn('src/features/usage-triggers/test/triggers.api.test.ts')(
          'answers the whole trigger with both dates',
        ),
      ),
    ],
  },
  {
    number: '5',
    title: 'Authentication',
    rows: [
      row(
        'Authorization',
        'Bearer and the access token',
        sessions('200: gives a session token that opens the accounts of the user'),
        house('401: names a missing bearer 900902', '401: names <it> 900901 Invalid Credentials'),
      ),
      row(
        'SVC-M2M-Token',
        'the session token of a login',
        sessions(
          '200: gives a session token that opens the accounts of the user',
          'that is absent, malformed or unknown is told apart by its code',
        ),
      ),
      row(
        'Content-Type',
        'bodies are JSON, whatever it says',
        house('are read as JSON with Content-Type <type>'),
      ),
      row(
        'rule 1',
        'whose credentials a session has',
        testsIn('src/features/sessions/test/credentials.test.ts')(
          'a session is at home in the first account of its user only, primary or not',
        ),
        testsIn('src/features/usage-triggers/test/keepers.api.test.ts')(
          '200: are kept by a user who may use the primary too: <name>',
        ),
      ),
      row(
        'rule 2',
        'an expired session is refused',
        sessions('slides: each use gives it 20 minutes more, and then it is expired, not unknown'),
      ),
      row(
        'rule 3',
        'no access to the account: 401',
        sessions('opens no account of another customer: 401, and the same for data that would be there'),
        testsIn('test/audit/tenants.test.ts')('<method> /<path>'),
      ),
      row(
        'rule 4',
        "callbacks carry the listener's credentials; certificates are checked in every session",
        attempts('arrives with the credentials, its count and a signature that verifies'),
        https(
          'a certificate that does not hold is refused by its reason, and nothing is sent',
          'every socket makes a session of its own, with the name of the host',
        ),
      ),
    ],
  },
];
