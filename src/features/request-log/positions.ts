import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import { isCut } from '../../platform/http/kept-text.ts';
import { listWithheld } from '../consents/index.ts';
import type { Call, Located } from './call.ts';
import { locates, WITHHELD } from './secrets.ts';

interface Entry {
  readonly msid: string;
  pd: unknown;
}

const isEntry = (value: object): value is Entry =>
  'msid' in value && typeof value.msid === 'string' && 'pd' in value;
const hasPosition = ({ pd }: Entry): boolean =>
  typeof pd === 'object' && pd !== null && Object.keys(pd).length > 0;

/** The entries with a position in an answer, at any depth. */
function* entriesIn(value: unknown): Generator<Entry> {
  if (typeof value !== 'object' || value === null) return;
  if (isEntry(value) && hasPosition(value)) yield value;
  for (const member of Object.values(value)) yield* entriesIn(member);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A request for positions states their accuracy; a call that reads a report does not. */
function accuracyOf({ operation, request = '' }: Call): Located['accuracy'] {
  if (operation !== 'locateDevices') return undefined;
  const { accuracyMode } = (parse(request) ?? {}) as { accuracyMode?: unknown };
  return String(accuracyMode) === '1' ? 'precise' : 'coarse';
}

/** The numbers by which an answer names the devices whose positions it contains. Unknown for an answer that is cut. */
export const numbersIn = ({ answer, operation }: Call): readonly string[] =>
  answer === undefined || !locates(operation) || isCut(answer)
    ? []
    : [...new Set(entriesIn(parse(answer)).map(({ msid }) => msid))];

export type DevicesByNumber = ReadonlyMap<string, readonly string[]>;

/** Devices of an account by their current numbers, a moment after the answers that named them. */
export async function findDevices(
  db: Db,
  { ecpdId, accountName }: Tenant,
  numbers: readonly string[],
): Promise<DevicesByNumber> {
  const found = await db.many<{ number: string; deviceId: string }>(sql`
    select right(value, 10) as number, device_id as "deviceId" from device_identifier
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and kind in ('mdn', 'msisdn')
      and value = any(${numbers.flatMap((number) => [number, `1${number}`])}::text[])`);
  const byNumber = Map.groupBy(found, ({ number }) => number);
  return new Map(byNumber.entries().map(([number, of]) => [number, of.map(({ deviceId }) => deviceId)]));
}

/** The devices whose positions an answer contains. Null if any is unknown, because its consent could not be checked. */
export function locatedIn(call: Call, devices: DevicesByNumber): Located | null {
  const numbers = numbersIn(call);
  if (numbers.length === 0 || numbers.some((number) => !devices.has(number))) return null;
  const accuracy = accuracyOf(call);
  const named = numbers.flatMap((number) => devices.get(number)!.map((deviceId) => [deviceId, number]));
  return { ...(accuracy && { accuracy }), devices: Object.fromEntries(named) };
}

export interface Shown extends Tenant {
  readonly located: Located;
  /** The parsed answer. Positions that may no longer be shown are replaced in it. */
  readonly answer: unknown;
}

const ACCURACIES = ['coarse', 'precise'] as const;

/** As in the callback log: hides positions whose consent was withdrawn. */
export async function withhold(db: Db, shown: readonly Shown[]): Promise<void> {
  for (const accuracy of ACCURACIES) {
    const asked = shown.filter(({ located }) => (located.accuracy ?? accuracy) === accuracy);
    for (const of of Map.groupBy(asked, (each) => `${each.ecpdId} ${each.accountName}`).values()) {
      const ids = new Set(of.flatMap(({ located }) => Object.keys(located.devices)));
      const denied = await listWithheld(db, of[0]!, [...ids], accuracy);
      for (const { answer, located } of of) hideDenied(answer, located, denied);
    }
  }
}

function hideDenied(answer: unknown, { devices }: Located, denied: ReadonlyMap<string, unknown>): void {
  const numbers = new Set(
    Object.entries(devices).flatMap(([id, number]) => (denied.has(id) ? [number] : [])),
  );
  for (const entry of entriesIn(answer)) if (numbers.has(entry.msid)) entry.pd = WITHHELD;
}
