import { ENERGY, FACILITIES, PRIMARY } from '../../../demo/accounts.ts';
import { SPARE_IMEI, TRUCK } from './fleet.ts';
import { reference } from './known.ts';

type Pieces = Readonly<Record<string, string>>;

const owned = { accountName: PRIMARY };
const depots = { accountName: FACILITIES };
const device = { kind: 'imei', id: reference('imei', 0) };
const alertListener = { ...owned, serviceName: 'AlertService', service: 'AlertService' };
const located = { ...owned, serviceName: 'Location', month: '2025-12' };
const record = { ...owned, kind: 'device', recordId: TRUCK, deviceId: TRUCK };
/** Nobody in the scene is signed in as this one. */
const bystander = { username: 'fleet-user' };

/** What stands in a path where any value that exists somewhere would not do. */
export const PATHS: Readonly<Record<string, Pieces>> = {
  removeListenerM2m: alertListener,
  removeListenerFota: alertListener,
  removeListenerLoc: alertListener,
  consoleRegisterListener: alertListener,
  resendCallbacks: depots,
  consoleResendCallbacks: depots,
  consoleListDeliveries: depots,
  consoleReadDelivery: { ...depots, messageId: reference('id', 0) },
  readExclusionsFrom: { ...owned, startIndex: '0' },
  readLocationReport: { ...owned, startIndex: '0' },
  listManagedAccountsByStatus: { ...located, status: 'provisioned' },
  consoleListManagedAccounts: located,
  consoleReadBill: located,
  listPricePlanTriggersOfCategory: { category: 'PricePlanDataUsage' },
  consoleReadDevice: record,
  operatorReadStatement: located,
  operatorReadDevice: device,
  operatorDeleteDevice: { kind: 'imei', id: SPARE_IMEI },
  operatorReadConsentHistory: device,
  operatorChangeDeviceState: device,
  operatorMoveDevice: device,
  operatorErasePositionsOfDevice: device,
  operatorSimulateDevice: device,
  operatorDeleteAccount: { accountName: ENERGY },
  operatorDisableUser: bystander,
  operatorResetPassword: bystander,
  operatorDisableClient: { clientId: 'partner-app' },
  operatorRotateClientSecret: { clientId: 'partner-app' },
  operatorDeleteKey: { name: reference('key', 0) },
};

/** Of queries that must say something. */
export const QUERIES: Readonly<Record<string, Pieces>> = {
  removeExclusions: { ...owned, deviceList: reference('imei', 7) },
  readConsentHistory: { deviceId: reference('imei', 0) },
};
