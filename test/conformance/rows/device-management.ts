import { row, rowsOf, type Section, testsIn } from '../row.ts';

const TESTS = 'src/features/device-management/test';
const query = testsIn(`${TESTS}/query.api.test.ts`);
const fields = testsIn(`${TESTS}/record-fields.api.test.ts`);
const writing = testsIn(`${TESTS}/writing.api.test.ts`);
const bad = testsIn(`${TESTS}/bad-input.api.test.ts`);

const ALL_FIELDS = (kind: string) =>
  query(`200: answers an array of ${kind} records with every field of the interface and no other`);
const kept = (kind: string, field: string) => fields(`${kind}: ${field} is answered as it was given`);
const LONG_INTEGERS: ReadonlySet<string> = new Set(['esn', 'imei', 'imsi']);
const EVERY_DIGIT = query(
  '200: writes integers of 15 digits and of 64 bits as JSON integers, without losing a digit',
);

/** Shared by devices, gateways and sensors, unless said otherwise. */
const DEVICE: Readonly<Record<string, string>> = {
  chipset: 'text',
  customdata: 'free JSON',
  description: 'text',
  esn: 'an integer of up to 64 bits',
  fields: 'configuration, an object',
  foreignid: "UUID of the customer's profile",
  hardwareversion: 'text',
  iccid: 'the SIM card',
  id: 'UUID of the record',
  imei: 'an integer of 15 digits',
  imsi: 'an integer of up to 64 bits',
  licenses: 'a list',
  mac: 'joined by - or :',
  manufacturer: 'text',
  meid: 'text',
  msisdn: 'text',
  name: "the user's own name for it",
  productmodel: 'text',
  providerid: 'text',
  qrcode: 'digits as text',
  refid: 'text',
  refidtype: 'text',
  serial: 'text',
  services: 'a list',
  sku: 'text',
  softwareversion: 'text',
  state: 'success or failed',
};
const USER: Readonly<Record<string, string>> = {
  ackterms: 'whether terms were accepted',
  acktermson: 'when',
  credentialsid: 'an e-mail address',
  credentialstype: 'email',
  customdata: 'free JSON',
  description: 'text',
  displayname: 'text',
  email: 'text',
  firstname: 'text',
  id: 'UUID',
  lastname: 'text',
  mdn: 'ten digits',
  middlename: 'text',
  name: 'text',
  number: 'a phone number, of the query only',
  requestedon: 'when',
  state: 'success or failed',
};
const RULE: Readonly<Record<string, string>> = {
  description: 'text',
  disabled: 'whether it is disabled',
  id: 'UUID',
  name: 'text',
  rulechain: 'kept as sent',
  rulesyntax: 'kept as sent',
};
const given = (kind: string, all: Readonly<Record<string, string>>) =>
  Object.entries(all).map(([field, says]) =>
    row(field, says, ALL_FIELDS(kind), kept(kind, field), LONG_INTEGERS.has(field) ? EVERY_DIGIT : []),
  );

/** What the service says by itself. */
const said = (kind: string) => [
  row('accountclientid', 'null', ALL_FIELDS(kind), fields(`${kind}: accountclientid is null`)),
  row(
    'billingaccountid',
    'the account',
    ALL_FIELDS(kind),
    fields(`${kind}: billingaccountid is the account`),
  ),
  ...rowsOf(
    {
      createdon: 'when it was made',
      lastupdated: 'when it was changed',
      version: 'grows with every change',
      versionid: 'another UUID with every change',
    },
    [
      ...ALL_FIELDS(kind),
      ...fields(`${kind}: createdon, lastupdated, version and versionid tell of changes`),
    ],
  ),
];

const records: readonly Section[] = [
  {
    number: '2.7',
    title: 'Device record',
    rows: [
      ...said('device'),
      ...given('device', DEVICE),
      ...rowsOf(
        { commands: 'an object, of devices only', modelmetadata: 'an object, of devices only' },
        query('200: has commands and modelmetadata for devices only, and null, {} or [] for what is unknown'),
      ),
      row('parentdeviceid', 'the gateway of a sensor', fields('sensor: parentdeviceid is its gateway')),
    ],
  },
  {
    number: '2.8',
    title: 'User profile record',
    rows: [
      ...said('user'),
      ...given('user', USER),
      row(
        'secondarybillingaccountids',
        'null',
        ALL_FIELDS('user'),
        fields('user: secondarybillingaccountids is null'),
      ),
      row(
        'foreignid',
        "UUID of the customer's profile",
        ALL_FIELDS('user'),
        fields('user: foreignid is that of the profile'),
      ),
    ],
  },
  {
    number: '2.9',
    title: 'Rule record',
    rows: [
      ...said('rule'),
      ...given('rule', RULE),
      row('deviceid', 'UUID of its device', fields('rule: deviceid is its device')),
      row(
        'foreignid',
        "UUID of the customer's profile",
        ALL_FIELDS('rule'),
        fields('rule: foreignid is that of the profile'),
      ),
    ],
  },
];

const PAGES = 'follow each other by X-Next, which the last one lacks, and by number';
const FILTER = [
  row(
    'accountname',
    'text, leading zeros kept',
    bad("401: an account that is not the session's, whatever the body"),
    ALL_FIELDS('device'),
  ),
  row(
    'filter.$expand',
    'the sensors of a gateway, the gateway of a sensor',
    query('puts the sensors into their gateway and the gateway into its sensors, of the account only'),
    bad('an expansion that nobody knows'),
  ),
  row('filter.$limitnumber', 'limits the answer', query(PAGES)),
  row(
    'filter.$nopagination',
    'true: all in one answer',
    testsIn(`${TESTS}/plans.test.ts`)(
      'without pagination is answered with 10,000 of them, and where the others begin',
    ),
  ),
  row(
    'filter.$page',
    'the page after an answer',
    query(PAGES),
    bad('a $page that was forged, altered, or is of another query'),
  ),
  row('filter.$pagenumber', 'the page by its number', query(PAGES), bad('pages before the first')),
  row(
    'filter.$projection',
    'the fields to answer',
    query('answers the named fields only; names that nobody knows are ignored, and none is all'),
  ),
  row(
    'filter.$selection',
    'criteria, all must be equal',
    query('needs every field to be equal, as text, and reaches into objects by dots'),
  ),
  row(
    'resourceidentifier',
    'identifiers of a device, each must match',
    query(
      '200: finds by <identifier>, as text too, and nothing else',
      '200: finds by deviceid, and by a MAC in either form; every given field must match',
    ),
  ),
];

export const deviceManagement: readonly Section[] = [
  ...records,
  { number: '4.8 body', title: 'Body of device-management queries', rows: FILTER },
  {
    number: '4.8',
    title: 'Device management',
    rows: [
      row('POST /dm/v1/devices/actions/query', 'device records', ALL_FIELDS('device')),
      row(
        'POST or PATCH /dm/v1/devices/gateways/actions/query',
        'gateway records',
        ALL_FIELDS('gateway'),
        query('200: takes PATCH for gateways, and finds nothing of another account'),
      ),
      row('POST /dm/v1/devices/sensors/actions/query', 'sensor records', ALL_FIELDS('sensor')),
      row('POST /dm/v1/users/actions/query', 'user records', ALL_FIELDS('user')),
      row(
        'PATCH /dm/v1/users',
        'changes a user, answers the record',
        writing('200: is created, found, changed and removed, each with a line in the audit log'),
      ),
      row(
        'POST /dm/v1/rules',
        'overwrites a rule, answers the record',
        writing(
          '200: is replaced whole; id, device, foreign id and creation stay, version and versionid are new',
        ),
      ),
    ],
  },
];
