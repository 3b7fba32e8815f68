import type { CountedDays } from '../../kernel/calendar.ts';
import { toDeviceRefs } from '../../kernel/device-id.ts';
import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import type { DeviceRef } from '../callback-payloads/index.ts';
import { listDevicesWithUsage } from '../usage/index.ts';
import { findLinesByIdentifier, type Line, listLinesByKey, listLinesByLabel } from './sql-line.ts';
import { type Cursor, LINES_PER_STEP, type NamedDevice, type Subject } from './summary-request.ts';

/** A line of the answer. */
interface FoundLine {
  /** Unique in its page. */
  readonly key: string;
  /** More than one if an identifier came back to the account on a new line: the answer has the usage of all. */
  readonly deviceIds: readonly string[];
  /** Its name in the answer: as the request named it, or its first identifier. */
  readonly ref: DeviceRef;
  readonly refs: readonly DeviceRef[];
  readonly servicePlan: string | null;
  /** Whether it is answered even without usage. */
  readonly always: boolean;
}

interface LinePage {
  readonly lines: readonly FoundLine[];
  /** Named devices that the account does not have, and never had. */
  readonly missing: readonly DeviceRef[];
  /** Undefined after the last page. */
  readonly next: Pick<Cursor, 'done' | 'after'> | undefined;
}

/** Usage outlives what is known of its line. Then the line's key is its only name. */
function toFound(deviceId: string, line: Line | undefined, always: boolean): FoundLine {
  const known = line === undefined ? [] : toDeviceRefs(line);
  const refs = known.length === 0 ? [{ id: deviceId, kind: 'deviceId' }] : known;
  return {
    ...{ key: deviceId, deviceIds: [deviceId], always },
    ...{ refs, ref: refs[0]!, servicePlan: line?.servicePlan ?? null },
  };
}

/** All lines with one identifier, under the names of the one that the account has now, or had last. */
function toNamed({ value, spelled }: NamedDevice, nth: number, lines: readonly Line[]): FoundLine {
  const line = lines.find(({ left }) => !left) ?? lines[0]!;
  const ref = { id: value, kind: spelled };
  const deviceIds = lines.map(({ deviceId }) => deviceId);
  return { ...toFound(line.deviceId, line, true), key: String(nth), deviceIds, ref };
}

async function findNamed(
  db: Db,
  tenant: Tenant,
  devices: readonly NamedDevice[],
  { done }: Cursor,
): Promise<LinePage> {
  const asked = devices.slice(done, done + LINES_PER_STEP);
  const found = Map.groupBy(await findLinesByIdentifier(db, tenant, asked), ({ nth }) => nth);
  const passed = done + asked.length;
  return {
    lines: asked.flatMap((device, n) => {
      const lines = found.get(n);
      return lines === undefined ? [] : [toNamed(device, n, lines)];
    }),
    missing: asked
      .filter((_, n) => !found.has(n))
      .map(({ value, spelled }) => ({ id: value, kind: spelled })),
    next: passed < devices.length ? { done: passed } : undefined,
  };
}

/** The next lines of a request. In key order, a short page is the last one. */
export async function findLines(
  db: Db,
  tenant: Tenant,
  subject: Subject,
  span: CountedDays,
  cursor: Cursor,
): Promise<LinePage> {
  if ('devices' in subject) return findNamed(db, tenant, subject.devices, cursor);
  const page = { after: cursor.after, limit: LINES_PER_STEP };
  const labelled = 'label' in subject ? await listLinesByLabel(db, tenant, subject.label, page) : undefined;
  const ids =
    labelled?.map(({ deviceId }) => deviceId) ?? (await listDevicesWithUsage(db, tenant, span, page));
  const known = labelled ?? (await listLinesByKey(db, tenant, ids));
  const byId = new Map(known.map((line) => [line.deviceId, line]));
  const lines = ids.map((deviceId) => {
    const line = byId.get(deviceId);
    return toFound(deviceId, line, labelled !== undefined && line?.left === false);
  });
  const next =
    ids.length < LINES_PER_STEP ? undefined : { done: cursor.done + ids.length, after: ids.at(-1)! };
  return { lines, missing: [], next };
}
