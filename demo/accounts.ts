import { dayBefore, idOf } from './generator.ts';

/** A haulier with two companies that bill through it, and a utility with two of its own. */
export const HAULAGE = { ecpdId: '7000001', foreignId: idOf('profile haulage') };
export const UTILITY = { ecpdId: '8000001', foreignId: idOf('profile utility') };

export const PRIMARY = '0000700001-00001';
export const COLD_CHAIN = '0000700001-00002';
export const FACILITIES = '0000700001-00003';
export const WATER = '0000800001-00001';
export const ENERGY = '0000800002-00001';

export const profiles = [HAULAGE, UTILITY];

export const accounts = [
  {
    accountName: PRIMARY,
    ecpdId: HAULAGE.ecpdId,
    organizationName: 'Larkmoor Haulage',
    timeZone: 'America/Chicago',
    billCycleDay: 1,
    realTimeRating: false,
    aggregatedBilling: true,
    locationRegistered: true,
    contactEmail: 'fleet@larkmoor.example',
  },
  {
    accountName: COLD_CHAIN,
    ecpdId: HAULAGE.ecpdId,
    organizationName: 'Larkmoor Cold Chain',
    timeZone: 'America/New_York',
    billCycleDay: 15,
    realTimeRating: true,
    aggregatedBilling: true,
    locationRegistered: true,
    contactEmail: 'cold-chain@larkmoor.example',
  },
  {
    accountName: FACILITIES,
    ecpdId: HAULAGE.ecpdId,
    organizationName: 'Larkmoor Depots',
    timeZone: 'America/Denver',
    billCycleDay: 31,
    realTimeRating: false,
    aggregatedBilling: true,
    locationRegistered: true,
    contactEmail: 'depots@larkmoor.example',
  },
  {
    accountName: WATER,
    ecpdId: UTILITY.ecpdId,
    organizationName: 'Pellmere Water',
    timeZone: 'America/Los_Angeles',
    billCycleDay: 20,
    realTimeRating: false,
    aggregatedBilling: false,
    locationRegistered: true,
    contactEmail: 'metering@pellmere.example',
  },
  {
    accountName: ENERGY,
    ecpdId: UTILITY.ecpdId,
    organizationName: 'Pellmere Energy',
    timeZone: 'America/Phoenix',
    billCycleDay: 8,
    realTimeRating: false,
    aggregatedBilling: false,
    locationRegistered: false,
    contactEmail: 'energy@pellmere.example',
  },
];

/** The primary account has added the depots, which have not accepted yet. */
export function managedAccounts(prefix: string) {
  const activation = {
    paccountName: PRIMARY,
    serviceName: 'Location',
    type: `${prefix}-LOC-COARSE-CellID-Aggr`,
  };
  return [
    { accountName: COLD_CHAIN, ...activation, state: 'provisioned' },
    { accountName: FACILITIES, ...activation, state: 'added' },
  ];
}

export function subscriptions(now: Date, prefix: string) {
  const location = (accountName: string, size: string) => ({
    accountName,
    serviceName: 'Location',
    skuName: `${prefix}-LOC-COARSE-CellID-${size}`,
    since: dayBefore(now, 200),
  });
  const fota = { serviceName: 'fota', skuName: `${prefix}-FOTA`, since: dayBefore(now, 120) };
  return [
    { ...location(PRIMARY, 'Aggr'), allowance: 20_000 },
    location(FACILITIES, '5K'),
    location(WATER, '10K'),
    { accountName: PRIMARY, ...fota, allowance: 1_000 },
    { accountName: WATER, ...fota, allowance: 200 },
  ];
}
