import { ACCOUNT, MANAGED, SMALL_FLEET, STRANGER } from './fleet.ts';

export const imei = (n: number) => `99000000100${String(n).padStart(4, '0')}`;
export const mdn = (n: number) => `555020${String(n).padStart(4, '0')}`;
export const byImei = (...numbers: number[]) => numbers.map((n) => ({ id: imei(n), kind: 'IMEI' }));

/** The position of device n of the fleet, in the format of entries. */
export const placeOf = (n: number) => ({ lat: 30 + n / 100, lon: -90 - n / 100, radius: 100 + n });

const device = (n: number, more: object = {}) => ({
  accountName: ACCOUNT,
  imei: imei(n),
  mdn: mdn(n),
  servicePlan: 'P-5MB',
  simulation: { position: placeOf(n) },
  ...more,
});

/** To import: the account may not use more than one position a month, or no longer has such a limit. */
export const limited = (isLimited: boolean) => ({
  subscriptions: [
    {
      accountName: ACCOUNT,
      serviceName: 'Location',
      skuName: isLimited ? 'SVC-LOC-COARSE-CellID-Aggr' : 'SVC-LOC-COARSE-CellID-5K',
      allowance: 1,
    },
  ],
  usageTriggers: [
    {
      accountName: ACCOUNT,
      triggerName: 'limit',
      serviceName: 'Location',
      thresholdValue: '100',
      allowExcess: !isLimited,
    },
  ],
});

/** The small fleet with devices for every case of locating: 1 to 20 are ordinary, each other one has a special case. */
export const LOCATION_FLEET = {
  ...SMALL_FLEET,
  accounts: SMALL_FLEET.accounts.map((account) =>
    account.accountName === MANAGED ? { ...account, locationRegistered: false } : account,
  ),
  users: SMALL_FLEET.users.map((user) =>
    user.accounts[0] === ACCOUNT ? { ...user, accounts: [ACCOUNT, MANAGED] } : user,
  ),
  subscriptions: [{ accountName: ACCOUNT, serviceName: 'Location', skuName: 'SVC-LOC-COARSE-CellID-5K' }],
  devices: [
    ...SMALL_FLEET.devices,
    ...Array.from({ length: 25 }, (_, n) => device(n + 1)),
    device(30, { simulation: { online: false, position: placeOf(30) } }),
    device(31, { iot: false }),
    device(32, { state: 'deactive' }),
    device(33, { meid: 'A0000000000033' }),
    { accountName: STRANGER, imei: imei(40), mdn: mdn(40), servicePlan: 'P-5MB' },
  ],
};
