import { isUuid } from '../../../kernel/uuid.ts';
import { writeAudit } from '../../../platform/context/audit.ts';
import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { recordFaults } from '../errors.ts';
import type { RecordKind, StoredRecord } from '../querying/fields.ts';
import { lockRecord } from '../querying/sql-records.ts';
import { toWireRecord, type WireRecord } from '../querying/wire.ts';

/** A text that is no id refers to no record. */
export const idOf = (text: string, cause: string): string =>
  isUuid(text) ? text.toLowerCase() : refuse(recordFaults.notFound, { cause });

interface Named {
  readonly kind: RecordKind;
  readonly id: string;
  /** The member of the body that holds the id. */
  readonly cause: string;
}

/** Locks the account's record until the transaction ends, and refuses if the caller has seen another version. */
export async function lockOwnRecord(
  { db }: Ctx,
  tenant: Tenant,
  { kind, id, cause }: Named,
  ...versionIds: readonly (string | undefined)[]
): Promise<StoredRecord> {
  const present = await lockRecord(db, tenant, kind, idOf(id, cause));
  if (present === undefined) return refuse(recordFaults.notFound, { cause });
  const isStale = versionIds.some((seen) => seen !== undefined && seen.toLowerCase() !== present.versionId);
  return isStale ? refuse(recordFaults.stale, { cause: 'versionid' }) : present;
}

/** Only queries return the phone number of a user. */
function toWire({ accountName }: Tenant, stored: StoredRecord): WireRecord {
  const { number: _, ...wire } = toWireRecord(stored, accountName);
  return wire;
}

export interface Written {
  readonly stored: StoredRecord;
  readonly wire: WireRecord;
}

/** Logs, in the transaction and with the time of the change, the record before and after, as the owner sees it. */
async function audited(
  ctx: Ctx,
  tenant: Tenant,
  action: string,
  { at, before, after }: { at?: Date; before?: StoredRecord; after?: StoredRecord },
): Promise<Written> {
  const [had, has] = [before, after].map((stored) => stored && toWire(tenant, stored));
  const stored = (after ?? before)!;
  await writeAudit(ctx, { at, action, target: stored.id, ...tenant, before: had, after: has });
  return { stored, wire: (has ?? had)! };
}

export async function createOwn(
  ctx: Ctx,
  tenant: Tenant,
  action: string,
  named: Named,
  write: (at: Date) => Promise<unknown>,
): Promise<Written> {
  const at = ctx.now();
  await write(at);
  return audited(ctx, tenant, action, { at, after: await lockOwnRecord(ctx, tenant, named) });
}

export async function changeOwn(
  ctx: Ctx,
  tenant: Tenant,
  action: string,
  { seen, ...named }: Named & { readonly seen: readonly (string | undefined)[] },
  write: (present: StoredRecord, at: Date) => Promise<unknown>,
): Promise<Written> {
  const before = await lockOwnRecord(ctx, tenant, named, ...seen);
  const at = ctx.now();
  await write(before, at);
  return audited(ctx, tenant, action, { at, before, after: await lockOwnRecord(ctx, tenant, named) });
}

/** Returns the last record. */
export async function deleteOwn(
  ctx: Ctx,
  tenant: Tenant,
  action: string,
  { seen, ...named }: Named & { readonly seen: string | undefined },
  remove: (present: StoredRecord) => Promise<unknown>,
): Promise<Written> {
  const before = await lockOwnRecord(ctx, tenant, named, seen);
  await remove(before);
  return audited(ctx, tenant, action, { before });
}
