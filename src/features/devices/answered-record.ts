import { type DeviceIdKind, parseDeviceId } from '../../kernel/device-id.ts';
import { textOf } from '../../platform/json/exact-json.ts';

/** Identifiers that a device record answers. Beside the record they are given, in it they are only said again. */
export const SAID_AGAIN = ['esn', 'iccid', 'imei', 'imsi', 'mac', 'meid', 'msisdn'] as const;
const AS_INTEGERS: ReadonlySet<DeviceIdKind> = new Set(['esn', 'imei', 'imsi']);
const ACCOUNT_FIELDS = ['accountclientid', 'billingaccountid'] as const;
/** The service's own, or kept apart from the record. */
const NOT_KEPT: ReadonlySet<string> = new Set([...SAID_AGAIN, ...ACCOUNT_FIELDS, 'versionid', 'lastupdated']);

type Members = Readonly<Record<string, unknown>>;

const DIGITS = /^[0-9]{1,20}$/;
/** Hexadecimal ones, as an ESN may be, are answered as the number that they stand for. */
const numberOf = (value: string): bigint => BigInt(DIGITS.test(value) ? value : `0x${value}`);

function isSame(kind: DeviceIdKind, said: string, given: unknown): boolean {
  const beside = typeof given === 'string' ? parseDeviceId(kind, given)?.value : undefined;
  if (beside === undefined) return false;
  if (AS_INTEGERS.has(kind) && DIGITS.test(said)) return BigInt(said) === numberOf(beside);
  return parseDeviceId(kind, said)?.value === beside;
}

/** A record as queries answer it: what it says of the device and its account must be what the entry says. */
export function* checkAnswered(
  entry: Members & { readonly accountName: string },
  record: Members,
): Generator<{ path: string; detail: string }> {
  for (const kind of SAID_AGAIN) {
    const said = record[kind];
    if (said !== undefined && !isSame(kind, textOf(said) ?? '', entry[kind]))
      yield { path: `/record/${kind}`, detail: `is not the ${kind} beside the record` };
  }
  for (const name of ACCOUNT_FIELDS) {
    if (record[name] !== undefined && record[name] !== entry.accountName)
      yield { path: `/record/${name}`, detail: 'must be the same as accountName' };
  }
}

/** What a record shows of a licence that is assigned; assignments have a section of their own. */
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
