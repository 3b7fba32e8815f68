import type { CountedDays } from '../../kernel/calendar.ts';
import { toDeviceRefs } from '../../kernel/device-id.ts';
import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import type { DeviceRef } from '../callback-payloads/index.ts';
import { listDevicesWithUsage } from '../usage/index.ts';
import { findLinesByIdentifier, type Line, listLinesByKey, listLinesByLabel } from './sql-line.ts';
import { type Cursor, LINES_PER_STEP, type NamedDevice, type Subject } from './summary-request.ts';

interface FoundLine {
  readonly deviceId: string;
  /** Its name in the answer: as the request named it, or its first identifier. */
  readonly ref: DeviceRef;
  readonly refs: readonly DeviceRef[];
  readonly servicePlan: string | null;
  /** Whether the request named it. A named line is answered even without usage. */
  readonly named: boolean;
}

interface LinePage {
  readonly lines: readonly FoundLine[];
  /** Named devices that the account does not have. */
  readonly missing: readonly DeviceRef[];
  /** Undefined after the last page. */
  readonly next: Pick<Cursor, 'done' | 'after'> | undefined;
}

/** Usage stays when a device is deleted. Then the device's key is its only name. */
function toFound(deviceId: string, line: Line | undefined, named: boolean): FoundLine {
  const key = { id: deviceId, kind: 'deviceId' };
  const refs = line === undefined ? [key] : toDeviceRefs(line);
  return { deviceId, refs, ref: refs[0] ?? key, servicePlan: line?.servicePlan ?? null, named };
}

const refOfNamed = ({ value, spelled }: NamedDevice): DeviceRef => ({ id: value, kind: spelled });

async function findNamed(
  db: Db,
  tenant: Tenant,
  devices: readonly NamedDevice[],
  { done }: Cursor,
): Promise<LinePage> {
  const asked = devices.slice(done, done + LINES_PER_STEP);
  const found = new Map((await findLinesByIdentifier(db, tenant, asked)).map((line) => [line.nth, line]));
  const passed = done + asked.length;
  return {
    lines: asked.flatMap((device, n) => {
      const line = found.get(n);
      return line === undefined ? [] : [{ ...toFound(line.deviceId, line, true), ref: refOfNamed(device) }];
    }),
    missing: asked.filter((_, n) => !found.has(n)).map(refOfNamed),
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
  const lines = ids.map((deviceId) => toFound(deviceId, byId.get(deviceId), labelled !== undefined));
  const next =
    lines.length < LINES_PER_STEP
      ? undefined
      : { done: cursor.done + lines.length, after: lines.at(-1)!.deviceId };
  return { lines, missing: [], next };
}
