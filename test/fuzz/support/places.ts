import { ENERGY, FACILITIES, HAULAGE, PRIMARY } from '../../../demo/accounts.ts';
import { pricePlanTriggers, usageTriggers } from '../../../demo/triggers.ts';
import { KEPT_RUN } from '../../support/kept-scenarios.ts';
import { TRUCK, VAN } from './fleet.ts';
import { reference } from './known.ts';

export type Pieces = Readonly<Record<string, string>>;

const owned = { accountName: PRIMARY };
const depots = { accountName: FACILITIES };
const device = { kind: 'imei', id: reference('imei', 0) };
const van = { kind: 'imei', id: VAN.imei };
const alertListener = { ...owned, serviceName: 'AlertService', service: 'AlertService' };
const located = { ...owned, serviceName: 'Location', month: '2025-12' };
const used = { ...owned, triggerId: usageTriggers[1]!.triggerId };
const beyond = { triggerId: pricePlanTriggers[0]!.triggerId };
const record = { ...owned, kind: 'device', recordId: TRUCK, deviceId: TRUCK };
/** No caller in the scene is signed in as this user. */
const bystander = { username: 'fleet-user' };

/** Recreated for each call that deletes a part of it. */
export const LEAVING = { ecpdId: '9000077', plan: 'LK-LEAVING-5MB' };

export const SNAPSHOT = 'before-renewal';

/** Values in paths for which not every existing value would do. */
export const PATHS: Readonly<Record<string, Pieces>> = {
  removeListenerM2m: alertListener,
  removeListenerFota: alertListener,
  removeListenerLoc: alertListener,
  changeListener: alertListener,
  readListenerFigures: alertListener,
  resendCallbacks: depots,
  countFailedCallbacks: depots,
  resendFailedCallbacks: depots,
  listDeliveryLog: depots,
  readDelivery: { ...depots, messageId: reference('id', 0) },
  readCallbackSample: { ...owned, event: 'suspend' },
  readDeliveryAttempt: { ...depots, messageId: reference('id', 0), series: '1', attempt: '1' },
  readExclusionsFrom: { ...owned, startIndex: '0' },
  readLocationReport: { ...owned, startIndex: '0' },
  listManagedAccountsByStatus: { ...located, status: 'provisioned' },
  listManagedAccountRelations: located,
  consoleReadBill: located,
  listPricePlanTriggersOfCategory: { category: 'PricePlanDataUsage' },
  readPricePlanTrigger: beyond,
  listPricePlanTriggerVersions: beyond,
  listPricePlanTriggerFirings: beyond,
  readUsageTrigger: used,
  listUsageTriggerFirings: used,
  consoleReadDevice: record,
  consoleListDeviceHistory: record,
  listRequestDevices: { ...owned, requestId: reference('request', 0) },
  operatorReadStatement: { ...located, month: '2026-01' },
  operatorReadDevice: device,
  operatorDeleteDevice: van,
  operatorReadConsentHistory: device,
  operatorChangeDeviceState: device,
  operatorMoveDevice: van,
  operatorErasePositionsOfDevice: device,
  operatorSimulateDevice: device,
  operatorDeleteAccount: { accountName: ENERGY },
  operatorReadCustomer: { ecpdId: HAULAGE.ecpdId },
  operatorDeleteCustomer: { ecpdId: LEAVING.ecpdId },
  operatorDeletePlan: { code: LEAVING.plan },
  operatorDeleteRatePlanGroup: { ecpdId: LEAVING.ecpdId, ratePlanGroupId: '900' },
  operatorDisableUser: bystander,
  operatorResetPassword: bystander,
  operatorDisableClient: { clientId: 'partner-app' },
  operatorRotateClientSecret: { clientId: 'partner-app' },
  operatorDeleteKey: { name: reference('key', 0) },
  operatorRestoreSnapshot: { name: SNAPSHOT },
  operatorDeleteSnapshot: { name: SNAPSHOT },
  operatorStopScenario: { runId: KEPT_RUN },
};

/** Values in queries: the required ones, and optional ones that give the response some content. */
export const QUERIES: Readonly<Record<string, Pieces>> = {
  readListenerFigures: { span: 'day' },
  listDeliveries: { state: 'delivered', limit: '10' },
  operatorListCallbacks: { ...owned, state: 'delivered', limit: '10' },
  operatorExport: owned,
  operatorListAccounts: { ecpdId: HAULAGE.ecpdId },
  operatorListDevices: { state: 'active', limit: '10' },
  operatorListSessions: { kind: 'imei', device: reference('imei', 0) },
  operatorListUsers: owned,
  operatorListAudit: { actor: 'demo-user', limit: '10' },
  operatorListJobs: { ecpdId: HAULAGE.ecpdId, limit: '10' },
  operatorListRequests: { operation: 'operatorReadClock', limit: '10' },
  operatorListFirings: owned,
  operatorListMail: owned,
  operatorListSms: owned,
  listUsageTriggerFirings: { limit: '10' },
  listPricePlanTriggerFirings: { limit: '10' },
  consoleListAccounts: { search: 'larkmoor' },
  consoleListDevices: { search: 'truck', state: 'active', limit: '10' },
  consoleCountDevices: { state: 'active' },
  consoleListDeviceHistory: { limit: '3' },
  listDeliveryLog: { state: 'failed' },
  operatorReadConsentHistory: { from: '2026-01-01T00:00:00Z' },
  removeExclusions: { ...owned, deviceList: reference('imei', 7) },
  readConsentHistory: { deviceId: reference('imei', 0) },
};
