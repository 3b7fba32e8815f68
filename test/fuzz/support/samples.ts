import { COLD_CHAIN, FACILITIES, PRIMARY } from '../../../demo/accounts.ts';
import { pricePlanTriggers } from '../../../demo/triggers.ts';
import { OPERATOR_KEY, START } from '../../support/world.ts';
import { FLEET, NEWCOMER, OWNER, TRUCK } from './fleet.ts';
import { reference } from './known.ts';
import { SNAPSHOT } from './places.ts';

const AT = START.toISOString();
const lines = (...records: readonly object[]) => records;
const device = { kind: 'imei', device: reference('imei', 0), at: AT };
const usage = { ...device, id: 'cdr-20260105-1', bytes: 1_048_576, apn: 'iot.apn', ratingGroup: '100' };
const { devices, userProfiles, rules, usageTriggers, ...rest } = FLEET;
const smallDocument = {
  ...rest,
  devices: devices.slice(0, 2),
  userProfiles: userProfiles.slice(0, 1),
  rules: rules.slice(0, 1),
  usageTriggers: usageTriggers.slice(0, 1),
};
const triggers = pricePlanTriggers.map(({ triggerId: _, ...trigger }) => trigger);
const account = reference('account', 0);
const imei = (index: number) => ({ id: reference('imei', index), kind: 'imei' });
const listing = (name: string, accountname = account) => ({ accountname, filter: { $selection: { name } } });
const identified = { accountname: account, resourceidentifier: { imei: reference('imei', 0) } };
const page = {
  accountname: account,
  filter: { $limitnumber: 2, $projection: ['id', 'name'], $expand: 'sensors' },
};
const GATEWAY = 'Cold room gateway 101';
const lined = { accountName: account, devices: [{ deviceIds: [imei(2)] }, { deviceIds: [imei(3)] }] };
/** Lines that are in this state from the start, by their SIMs. */
const linesThatAre = (state: string) => ({
  accountName: account,
  devices: devices
    .filter((one) => one.accountName === PRIMARY && 'iccid' in one && one.state === state)
    .slice(0, 2)
    .map((one) => ({ deviceIds: [{ id: (one as { iccid: string }).iccid, kind: 'iccid' }] })),
});
const located = { accountName: account, accuracyMode: '0', cacheMode: '2', deviceList: [imei(4), imei(5)] };
const person = {
  email: 'ines.calder@larkmoor.example',
  firstname: 'Ines',
  lastname: 'Calder',
  mdn: '3975550197',
  customdata: { shift: 'day' },
};
const period = { from: '2025-12-01', to: '2026-01-04' };
const SKU = 'SVC-LOC-COARSE-CellID-Aggr';
const managed = { accountName: FACILITIES, paccountName: PRIMARY };
const transaction = reference('transaction', 0);
const management = { ...managed, serviceName: 'Location', type: SKU };
const days = { accountName: account, earliest: '2025-12-01', latest: '2026-01-04', deviceId: imei(0) };
const alert = {
  serviceName: 'Location',
  thresholdValue: '90',
  sendEmailNotification: true,
  emailAddresses: 'fleet@larkmoor.example',
};
const place = {
  address: { addressLine1: '1 Main Street', city: 'Dallas', state: 'TX', zip: '75201', country: 'US' },
  customerName: { firstName: 'Ada', lastName: 'Thornbury' },
};
const [rule] = rules;
const ruled = {
  accountname: account,
  rule: { name: 'Load too warm', deviceid: TRUCK, rulesyntax: 'json', rulechain: rule!.rulechain },
};
const listener = {
  name: 'AlertService',
  url: reference('url', 0),
  username: 'fleet-listener',
  password: 'example-password',
};
const cycle = { year: 2025, month: 12 };
const latest = reference('id', 0);

/** Bodies that pass many checks, which generated ones seldom do. Their near misses also get further. */
export const SAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  issueToken: [{ grant_type: 'client_credentials' }],
  issueTokenAtRoot: [{ grant_type: 'client_credentials' }],
  revokeToken: [{ token: 'example-access-token' }],
  logIn: [{ username: OWNER.username, password: OWNER.password }],
  resetPassword: [{ oldPassword: OWNER.password }],
  consoleSignIn: [{ username: OWNER.username, password: OWNER.password }, { operatorKey: OPERATOR_KEY }],
  registerListenerM2m: [listener],
  registerListenerFota: [listener],
  registerListenerLoc: [listener],
  resendCallbacks: [{ requestId: reference('request', 0) }],
  resendFailedCallbacks: [
    { requestId: reference('request', 0) },
    { serviceName: 'Fota' },
    { since: 1, until: 2_000_000_000_000 },
  ],
  changeListener: [
    { url: reference('url', 0), username: 'fleet-listener', password: 'example-password' },
    { url: reference('url', 0), removeCredentials: true },
    { url: reference('url', 0), rotateSecret: true },
  ],
  sendTestCallback: [{ event: 'suspend' }, { event: 'suspend', payload: { deviceIds: [] } }],
  tryRule: [ruled],
  consoleListLines: [{ deviceIds: [TRUCK] }],
  consoleLabelDevices: [{ deviceIds: [TRUCK], name: 'Depot', value: 'Larkmoor North' }],
  createAccountLocationReport: [{ accuracyMode: '0', cacheMode: '2', deviceList: [imei(4), imei(5)] }],
  operatorMoveClock: [{ advance: 'PT1M' }],
  operatorMoveDevice: [{ accountName: COLD_CHAIN }],
  operatorChangeDeviceState: [{ state: 'suspend' }, { state: 'active' }],
  operatorCreateKey: [{ name: reference('key', 0), scopes: ['read'] }],
  operatorMakeSnapshot: [{ name: SNAPSHOT }],
  operatorPlayScenario: [{ name: 'overage.yaml', text: 'name: overage' }],
  operatorSetFaults: [
    [{ match: { operation: 'activateDevices' }, after: 1, times: 2, then: { status: 503 } }],
  ],
  operatorRecordRequests: [{ accountName: account, minutes: 15 }],
  operatorPauseListener: [{ accountName: account, serviceName: 'AlertService' }],
  operatorResumeListener: [{ accountName: account, serviceName: 'AlertService' }],
  operatorResendCallbacks: [
    { requestId: reference('request', 0) },
    { accountName: FACILITIES, requestId: reference('request', 0) },
    { accountName: FACILITIES, serviceName: 'Fota', since: AT },
  ],
  operatorSimulateDevice: [{ online: true, position: { lat: 32.9, lon: -97.1 } }],
  operatorSimulateDevices: [[{ kind: 'imei', id: reference('imei', 2), online: true }]],
  operatorSimulateNetwork: [{ condition: 'normal' }, { orders: { delayMs: 1_000 } }],
  operatorCheckNetwork: [{ accountName: account, repair: true }],
  operatorConfirmOrder: [{ outcome: 'done' }],
  operatorSetSimulator: [{ running: false, speed: 10 }],
  operatorRotateClientSecret: [{ atOnce: false }],
  operatorImport: [NEWCOMER, smallDocument, { devices: devices.slice(0, 1) }, { rules: rules.slice(0, 1) }],
  operatorFeedUsage: [
    lines(usage, { ...usage, id: 'cdr-20260105-2', serviceName: 'fota', chargeAmount: 0.12 }),
  ],
  operatorFeedPositions: [lines({ ...device, lat: 32.9, lon: -97.1, radius: 300 })],
  operatorFeedReadings: [
    lines({
      ...device,
      device: reference('imei', 2),
      values: { temperature: 21.5, door: 'open', mains: false },
    }),
  ],
  operatorSendEvent: [
    {
      accountName: account,
      serviceName: 'CarrierService',
      payload: { status: 'Success', deviceIds: [imei(0)], deviceResponse: { suspendResponse: {} } },
    },
  ],
  createPricePlanTrigger: triggers,
  updatePricePlanTrigger: pricePlanTriggers,
  backtestPricePlanTrigger: triggers.map((trigger) => ({ ...trigger, period })),
  readPastUseOfPricePlanTrigger: triggers.map((trigger) => ({ ...trigger, period })),
  createUsageTrigger: [{ accountName: account, ...alert }],
  updateUsageTrigger: [{ accountName: account, ...alert }],
  overwriteRule: [
    ruled,
    { accountname: account, resourceidentifier: { id: latest }, rule: { name: 'Load too cold' } },
  ],
  deleteRule: [{ accountname: account, id: latest }],
  queryDevices: [listing('Truck 101'), identified, page],
  queryGateways: [listing(GATEWAY, COLD_CHAIN), identified, page],
  queryGatewaysByPatch: [listing(GATEWAY, COLD_CHAIN), identified, page],
  querySensors: [listing(`${GATEWAY} shelf 1`, COLD_CHAIN), identified, page],
  queryUsers: [listing('Ada Thornbury'), page],
  queryRules: [listing('Gateway on battery', COLD_CHAIN), identified, page],
  querySmartAlerts: [listing('Gateway on battery', COLD_CHAIN), identified, page],
  readLastReported: [identified],
  updateDeviceRecord: [
    { ...identified, device: { name: 'Truck 101', customdata: { driver: 'Tomas Reyes', axles: [6, 4] } } },
  ],
  createDeviceManagementUser: [{ accountname: account, user: person }],
  updateDeviceManagementUser: [{ accountname: account, id: latest, user: person }],
  deleteDeviceManagementUser: [{ accountname: account, id: latest }],
  setDeviceConfiguration: [{ ...identified, configuration: { reportSeconds: 60 } }],
  acknowledgeSmartAlert: [{ accountname: account, id: latest, acknowledged: true }],
  acknowledgeSmartAlerts: [{ accountname: account, ids: [latest], acknowledged: true }],
  countSmartAlerts: [{ accountname: COLD_CHAIN }],
  suspendDevices: [lined, { accountName: account, deviceList: [imei(2)] }],
  restoreDevices: [linesThatAre('suspend'), { accountName: account, deviceIds: [imei(2)] }],
  deactivateDevices: [
    { ...lined, reasonCode: 'FF' },
    { accountName: account, deviceList: [imei(2)], reasonCode: 'FF' },
  ],
  activateDevices: [
    { ...linesThatAre('pre-active'), servicePlan: reference('plan', 0), mdnZipCode: '75201' },
  ],
  changePlan: [{ ...lined, servicePlan: reference('plan', 1) }],
  changePlanByPost: [
    {
      accountName: account,
      servicePlan: reference('plan', 6),
      deviceListWithServiceAddress: [{ deviceIds: [imei(6)], primaryPlaceOfUse: place }],
    },
  ],
  assignLicenses: [{ ...lined, skuNumber: reference('sku', 0) }],
  unassignLicenses: [{ ...lined, skuNumber: reference('sku', 0) }],
  reportSuspensions: [{ accountName: account }, lined],
  listLicenseSubscriptions: [{ accountName: account }],
  locateDevices: [located, { ...located, cacheMode: '1' }],
  createLocationReport: [located],
  requestDeviceLocations: [located],
  changeExclusions: [{ accountName: account, type: 'append', exclusion: [reference('imei', 7)] }],
  setAccountConsent: [{ accountName: account, allDeviceConsent: '2' }],
  setDeviceConsents: [{ accountName: account, deviceList: [{ ...imei(8), consent: 1 }] }],
  reportLocationUsage: [{ accountName: account, startDate: '12-01-2025', endDate: '01-05-2026' }],
  addManagedAccounts: [
    { accountName: PRIMARY, serviceName: 'Location', type: SKU, managedAccList: [FACILITIES] },
  ],
  provisionManagedAccount: [{ ...management, TxId: transaction }],
  cancelManagedAccount: [{ ...management, TxId: transaction }],
  listDevices: [{ accountName: account }, { accountName: account, maxNumberOfDevices: 2 }],
  listDeviceUsage: [days],
  requestAggregateUsage: [
    {
      accountName: account,
      startTime: '2025-12-05T00:00:00Z',
      endTime: '2026-01-04T00:00:00Z',
      deviceIds: [imei(0)],
    },
  ],
  requestBilledUsage: [
    { accountName: account, deviceIds: [imei(0)], billingCycle: cycle },
    { accountName: account, billingCycle: { year: '2025', month: '11' } },
  ],
  requestBillingSummary: [
    {
      accountName: account,
      lineLevel: false,
      billingCycle: { from: { year: 2025, month: 11 }, to: { year: 2025, month: 12 } },
    },
  ],
};
