import { COLD_CHAIN, FACILITIES, PRIMARY, WATER } from './accounts.ts';
import type { Line } from './lines.ts';

/** Consents, exclusions and licences of the accounts. */
type Lines = readonly Line[];

const imeis = (
  lines: Lines,
  accountName: string,
  name: string,
  from: number,
  to: number,
): readonly string[] =>
  lines
    .filter((line) => line.accountName === accountName && line.record.name.startsWith(name))
    .slice(from, to)
    .map(({ imei }) => imei);

const BUNDLE = 'BUNDLE-KTO-SIMSEC-MRC';

export const licenses = (prefix: string) => [
  { accountName: PRIMARY, skuNumber: 'SIMSec-IoT', purchased: 100 },
  { accountName: PRIMARY, skuNumber: 'SIMSec-IoT-Lt', purchased: 20 },
  { accountName: PRIMARY, skuNumber: `${prefix}-${BUNDLE}`, purchased: 25 },
  { accountName: WATER, skuNumber: 'SIMSec-IoT', purchased: 40 },
];

export function licenseAssignments(lines: Lines, prefix: string) {
  const assign = (accountName: string, skuNumber: string, assigned: readonly string[]) =>
    assigned.map((imei) => ({ accountName, skuNumber, imei }));
  return [
    ...assign(PRIMARY, 'SIMSec-IoT', imeis(lines, PRIMARY, 'Truck', 0, 24)),
    ...assign(PRIMARY, 'SIMSec-IoT-Lt', imeis(lines, PRIMARY, 'Dash camera', 0, 6)),
    ...assign(PRIMARY, `${prefix}-${BUNDLE}`, imeis(lines, PRIMARY, 'Warehouse gateway', 0, 4)),
    ...assign(WATER, 'SIMSec-IoT', imeis(lines, WATER, 'Water meter', 0, 12)),
  ];
}

export const exclusions = (lines: Lines) => [
  { accountName: PRIMARY, allDevice: false, imeis: imeis(lines, PRIMARY, 'Truck', 10, 12) },
  { accountName: WATER, allDevice: false, imeis: imeis(lines, WATER, 'Water meter', 29, 30) },
];

/** 0 allows every request, 1 precise ones, 2 coarse ones, 3 none. */
export const consents = (lines: Lines) => [
  {
    accountName: PRIMARY,
    level: 0,
    devices: [
      ...imeis(lines, PRIMARY, 'Truck', 20, 22).map((imei) => ({ imei, level: 2 })),
      ...imeis(lines, PRIMARY, 'Dash camera', 5, 6).map((imei) => ({ imei, level: 3 })),
    ],
  },
  { accountName: COLD_CHAIN, level: 2 },
  { accountName: FACILITIES, level: 1 },
  {
    accountName: WATER,
    level: 2,
    devices: imeis(lines, WATER, 'Water meter', 2, 4).map((imei) => ({ imei, level: 0 })),
  },
];
