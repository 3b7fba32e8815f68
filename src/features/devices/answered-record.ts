import { type DeviceIdKind, parseDeviceId } from '../../kernel/device-id.ts';
import { textOf } from '../../platform/json/exact-json.ts';

/** Identifiers that an answered device record repeats. The fields outside the record are what counts. */
export const REPEATED_IDS = ['esn', 'iccid', 'imei', 'imsi', 'mac', 'meid', 'msisdn'] as const;
const AS_INTEGERS: ReadonlySet<DeviceIdKind> = new Set(['esn', 'imei', 'imsi']);
const ACCOUNT_FIELDS = ['accountclientid', 'billingaccountid'] as const;
/** Set by the service, or stored apart from the record. */
const NOT_KEPT: ReadonlySet<string> = new Set([
  ...REPEATED_IDS,
  ...ACCOUNT_FIELDS,
  'versionid',
  'lastupdated',
]);

type Members = Readonly<Record<string, unknown>>;

const DIGITS = /^[0-9]{1,20}$/;
/** Hexadecimal values, which an ESN may have, are answered as the number they stand for. */
const numberOf = (value: string): bigint => BigInt(DIGITS.test(value) ? value : `0x${value}`);

function isSame(kind: DeviceIdKind, repeated: string, given: unknown): boolean {
  const outside = typeof given === 'string' ? parseDeviceId(kind, given)?.value : undefined;
  if (outside === undefined) return false;
  if (AS_INTEGERS.has(kind) && DIGITS.test(repeated)) return BigInt(repeated) === numberOf(outside);
  return parseDeviceId(kind, repeated)?.value === outside;
}

/** Checks a record as queries answer it: its data about the device and its account must match the entry. */
export function* checkAnswered(
  entry: Members & { readonly accountName: string },
  record: Members,
): Generator<{ path: string; detail: string }> {
  for (const kind of REPEATED_IDS) {
    const repeated = record[kind];
    if (repeated !== undefined && !isSame(kind, textOf(repeated) ?? '', entry[kind]))
      yield { path: `/record/${kind}`, detail: `differs from the ${kind} outside the record` };
  }
  for (const name of ACCOUNT_FIELDS) {
    if (record[name] !== undefined && record[name] !== entry.accountName)
      yield { path: `/record/${name}`, detail: 'must be the same as accountName' };
  }
}

/** The members that a record shows for an assigned licence. Assignments have their own section. */
const ASSIGNED = ['assignedOn', 'licenseType', 'skuNumber'].join();
const isAssigned = (license: unknown): boolean =>
  typeof license === 'object' && license !== null && Object.keys(license).sort().join() === ASSIGNED;

export function withoutAnswered(record: Members): Members {
  const { licenses } = record;
  return {
    ...Object.fromEntries(Object.entries(record).filter(([name]) => !NOT_KEPT.has(name))),
    ...(Array.isArray(licenses) && { licenses: licenses.filter((license) => !isAssigned(license)) }),
  };
}
