import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import type { DeviceRef } from '../callbacks/index.ts';
import { type DaySpan, listDevicesWithUsage } from '../usage/index.ts';
import { refOfDeleted, refOfNamed, refsOf } from './line.ts';
import { findLinesByIdentifier, listLinesByKey, listLinesByLabel } from './sql-line.ts';
import { type Cursor, LINES_PER_STEP, type Subject } from './summary-request.ts';

export interface FoundLine {
  readonly deviceId: string;
  /** How it is named in the answer: as the request did, or by the first identifier that it has. */
  readonly ref: DeviceRef;
  readonly refs: readonly DeviceRef[];
  readonly servicePlan: string | null;
  /** Answered also where it used nothing. */
  readonly named: boolean;
}

export interface LinePage {
  readonly lines: readonly FoundLine[];
  /** Named, and no device of the account. */
  readonly missing: readonly DeviceRef[];
  /** Undefined after the last page. */
  readonly next: Pick<Cursor, 'done' | 'after'> | undefined;
}

async function findNamed(
  db: Db,
  tenant: Tenant,
  { devices }: Extract<Subject, { devices: unknown }>,
  { done }: Cursor,
): Promise<LinePage> {
  const asked = devices.slice(done, done + LINES_PER_STEP);
  const found = new Map((await findLinesByIdentifier(db, tenant, asked)).map((line) => [line.nth, line]));
  const lines = asked.flatMap((device, n): FoundLine[] => {
    const line = found.get(n);
    if (line === undefined) return [];
    const { deviceId, servicePlan } = line;
    return [{ deviceId, servicePlan, ref: refOfNamed(device), refs: refsOf(line), named: true }];
  });
  const passed = done + asked.length;
  return {
    lines,
    missing: asked.filter((_, n) => !found.has(n)).map(refOfNamed),
    next: passed < devices.length ? { done: passed } : undefined,
  };
}

/** A page of the devices that were passed in the order of their keys; a short one is the last. */
const pageOf = (lines: readonly FoundLine[], { done }: Cursor): LinePage => ({
  lines,
  missing: [],
  next:
    lines.length < LINES_PER_STEP
      ? undefined
      : { done: done + lines.length, after: lines[lines.length - 1]!.deviceId },
});

/** The next of the lines that a request is about. */
export async function findLines(
  db: Db,
  tenant: Tenant,
  subject: Subject,
  span: DaySpan,
  cursor: Cursor,
): Promise<LinePage> {
  if ('devices' in subject) return findNamed(db, tenant, subject, cursor);
  const page = { after: cursor.after, limit: LINES_PER_STEP };
  if ('label' in subject) {
    const labelled = await listLinesByLabel(db, tenant, subject.label, page);
    const lines = labelled.map((line): FoundLine => {
      const { deviceId, servicePlan } = line;
      const refs = refsOf(line);
      return { deviceId, servicePlan, refs, ref: refs[0] ?? refOfDeleted(deviceId), named: true };
    });
    return pageOf(lines, cursor);
  }
  const ids = await listDevicesWithUsage(db, tenant, span, page);
  const known = new Map((await listLinesByKey(db, tenant, ids)).map((line) => [line.deviceId, line]));
  const lines = ids.map((deviceId): FoundLine => {
    const line = known.get(deviceId);
    const refs = line === undefined ? [refOfDeleted(deviceId)] : refsOf(line);
    const ref = refs[0] ?? refOfDeleted(deviceId);
    return { deviceId, refs, ref, servicePlan: line?.servicePlan ?? null, named: false };
  });
  return pageOf(lines, cursor);
}
