import { FACILITIES, PRIMARY } from '../../../demo/accounts.ts';
import { pricePlanTriggers } from '../../../demo/triggers.ts';
import { OPERATOR_KEY, START } from '../../support/world.ts';
import { FLEET, OWNER, TRUCK } from './fleet.ts';
import { reference } from './known.ts';

const AT = START.toISOString();
const lines = (...records: readonly object[]) => records;
const device = { kind: 'imei', device: reference('imei', 0), at: AT };
const usage = { ...device, id: 'sample-1', bytes: 1_048_576, apn: 'iot.apn', ratingGroup: '100' };
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
const listing = { accountname: account, filter: { $selection: { name: 'x' } } };
const identified = { accountname: account, resourceidentifier: { imei: reference('imei', 1) } };
const page = {
  accountname: account,
  filter: { $limitnumber: 2, $projection: ['id', 'name'], $expand: 'sensors' },
};
const records = [listing, identified, page];
const lined = { accountName: account, devices: [{ deviceIds: [imei(2)] }, { deviceIds: [imei(3)] }] };
const located = { accountName: account, accuracyMode: '0', cacheMode: '2', deviceList: [imei(4), imei(5)] };
const person = {
  email: 'a.b@larkmoor.example',
  firstname: 'A',
  lastname: 'B',
  mdn: '2145550100',
  customdata: { x: 1 },
};
const period = { from: '2025-12-01', to: '2026-01-04' };
const SKU = 'SVC-LOC-COARSE-CellID-Aggr';
const managed = { accountName: FACILITIES, paccountName: PRIMARY };
const transaction = reference('transaction', 0);
const management = { ...managed, serviceName: 'Location', type: SKU };
const days = { accountName: account, earliest: '2025-12-01', latest: '2026-01-04', deviceId: imei(1) };
const alert = {
  serviceName: 'Location',
  thresholdValue: '90',
  emailAddresses: 'a@b.example',
};
const place = {
  address: { addressLine1: '1 Main St', city: 'Dallas', state: 'TX', zip: '75201', country: 'US' },
  customerName: { firstName: 'A', lastName: 'B' },
};
const [rule] = rules;
const ruled = {
  accountname: account,
  rule: { name: 'x', deviceid: TRUCK, rulesyntax: 'json', rulechain: rule!.rulechain },
};
const listener = { name: 'AlertService', url: reference('url', 0), username: 'u', password: 'p' };
const cycle = { year: 2025, month: 12 };
const latest = reference('id', 0);

/** Bodies that get far: what a made-up one seldom does. Their near misses go deeper too. */
export const SAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  issueToken: [{ grant_type: 'client_credentials' }],
  issueTokenAtRoot: [{ grant_type: 'client_credentials' }],
  revokeToken: [{ token: 'sample' }],
  logIn: [{ username: OWNER.username, password: OWNER.password }],
  resetPassword: [{ oldPassword: OWNER.password }],
  consoleSignIn: [{ username: OWNER.username, password: OWNER.password }, { operatorKey: OPERATOR_KEY }],
  registerListenerM2m: [listener],
  registerListenerFota: [listener],
  registerListenerLoc: [listener],
  resendCallbacks: [{ requestId: reference('request', 0) }],
  consoleResendCallbacks: [{ requestId: reference('request', 0) }, { serviceName: 'Fota' }],
  consoleRegisterListener: [{ url: reference('url', 0), removeCredentials: true }],
  consoleSendTestEvent: [{ event: 'suspend' }],
  consoleCreateLocationReport: [{ accuracyMode: '0', cacheMode: '2', deviceList: [imei(4), imei(5)] }],
  operatorMoveClock: [{ advance: 'PT1M' }],
  operatorMoveDevice: [{ accountName: account }],
  operatorChangeDeviceState: [{ state: 'suspend' }, { state: 'active' }],
  operatorCreateKey: [{ name: reference('key', 0), scopes: ['read'] }],
  operatorPauseListener: [{ accountName: account, serviceName: 'AlertService' }],
  operatorResumeListener: [{ accountName: account, serviceName: 'AlertService' }],
  operatorResendCallbacks: [
    { requestId: reference('request', 0) },
    { accountName: FACILITIES, requestId: reference('request', 0) },
    { accountName: FACILITIES, serviceName: 'Fota', since: AT },
  ],
  operatorSimulateDevice: [{ online: true, position: { lat: 32.9, lon: -97.1 } }],
  operatorSimulateNetwork: [{ condition: 'normal' }],
  operatorSetSimulator: [{ running: false, speed: 10 }],
  operatorRotateClientSecret: [{ atOnce: false }],
  operatorImport: [smallDocument, { devices: devices.slice(0, 1) }, { rules: rules.slice(0, 1) }],
  operatorFeedUsage: [lines(usage, { ...usage, id: 'sample-2', serviceName: 'fota', chargeAmount: 0.12 })],
  operatorFeedPositions: [lines({ ...device, lat: 32.9, lon: -97.1, radius: 300 })],
  operatorFeedReadings: [lines({ ...device, values: { temperature: 21.5, door: 'open', mains: false } })],
  operatorSendEvent: [{ accountName: account, serviceName: 'AlertService', payload: { x: [1] } }],
  createPricePlanTrigger: triggers,
  updatePricePlanTrigger: pricePlanTriggers,
  backtestPricePlanTrigger: triggers.map((trigger) => ({ ...trigger, period })),
  createUsageTrigger: [{ accountName: account, ...alert }],
  updateUsageTrigger: [{ accountName: account, ...alert }],
  overwriteRule: [ruled, { accountname: account, resourceidentifier: { id: latest }, rule: { name: 'y' } }],
  deleteRule: [{ accountname: account, id: latest }],
  queryDevices: records,
  queryGateways: records,
  queryGatewaysByPatch: records,
  querySensors: records,
  queryUsers: [listing, page],
  queryRules: records,
  querySmartAlerts: records,
  readLastReported: [identified],
  updateDeviceRecord: [{ ...identified, device: { name: 'x', customdata: { a: [1] } } }],
  createDeviceManagementUser: [{ accountname: account, user: person }],
  updateDeviceManagementUser: [{ accountname: account, id: latest, user: person }],
  deleteDeviceManagementUser: [{ accountname: account, id: latest }],
  setDeviceConfiguration: [{ ...identified, configuration: { reportSeconds: 60 } }],
  acknowledgeSmartAlert: [{ accountname: account, id: latest, acknowledged: true }],
  acknowledgeSmartAlerts: [{ accountname: account, ids: [latest], acknowledged: true }],
  countSmartAlerts: [{ accountname: account }],
  suspendDevices: [lined, { accountName: account, deviceList: [imei(2)] }],
  restoreDevices: [lined, { accountName: account, deviceIds: [imei(2)] }],
  deactivateDevices: [
    { ...lined, reasonCode: 'FF' },
    { accountName: account, deviceList: [imei(2)], reasonCode: 'FF' },
  ],
  activateDevices: [{ ...lined, servicePlan: reference('plan', 0), mdnZipCode: '75201' }],
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
      deviceIds: [imei(1)],
    },
  ],
  requestBilledUsage: [
    { accountName: account, deviceIds: [imei(1)], billingCycle: cycle },
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
