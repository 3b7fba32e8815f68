import { type Ctx, inTx, type Tenant } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { recordFaults } from '../errors.ts';
import type { StoredRecord } from '../querying/stored-record.ts';
import { documentOf, toWireRecord, type WireRecord } from '../querying/wire.ts';
import { auditChange } from './audit-change.ts';
import { lockOwnRecord } from './lock-own-record.ts';
import { readUser } from './read-fields.ts';
import type { DeleteUserBody, UpdateUserBody, UserFields } from './schemas.ts';
import { deleteUserRow, insertUser, updateUserRow } from './sql-user.ts';

/** The phone number of a user is told by queries only. */
function toWire(tenant: Tenant, user: StoredRecord): WireRecord {
  const { number: _, ...wire } = toWireRecord(user, tenant.accountName);
  return wire;
}

/** When the terms were accepted: who says so again has accepted them before, and who takes it back has not. */
function termsOf(given: WireRecord, present: WireRecord, now: Date) {
  const { ackterms } = given;
  const isNews = ackterms === true && (present['ackterms'] !== true || present['acktermson'] === undefined);
  return {
    patch: isNews ? { acktermson: now.toISOString() } : {},
    dropped: ackterms === false ? ['acktermson'] : [],
  };
}

const inBody = (id: string) => ({ id, cause: 'id' });

/** A user logs in by an e-mail address: its own, unless another is given. */
export const createUser = (outer: Ctx, tenant: Tenant, user: UserFields): Promise<WireRecord> =>
  inTx(outer, async (ctx) => {
    const given = readUser(user);
    const credentialsid = given['credentialsid'] ?? given['email'];
    if (credentialsid === undefined) refuse(recordFaults.badEmail, { cause: 'user.email' });
    const id = ctx.newId();
    const now = ctx.now();
    const record = { email: credentialsid, ...given, credentialsid, requestedon: now.toISOString() };
    await insertUser(ctx.db, tenant, id, { ...record, ...termsOf(given, {}, now).patch }, now);
    const after = toWire(tenant, await lockOwnRecord(ctx, tenant, 'user', inBody(id)));
    await auditChange(ctx, tenant, 'createDeviceManagementUser', { at: now, after });
    return after;
  });

/** What is absent stays; customdata is replaced whole. */
export const updateUser = (
  outer: Ctx,
  tenant: Tenant,
  { id, versionid, user }: UpdateUserBody,
): Promise<WireRecord> =>
  inTx(outer, async (ctx) => {
    const patch = readUser(user);
    const present = await lockOwnRecord(ctx, tenant, 'user', inBody(id), versionid, user.versionid);
    const now = ctx.now();
    const terms = termsOf(patch, documentOf(present), now);
    await updateUserRow(
      ctx.db,
      tenant,
      present.id,
      { patch: { ...patch, ...terms.patch }, dropped: terms.dropped },
      now,
    );
    const after = toWire(tenant, await lockOwnRecord(ctx, tenant, 'user', inBody(id)));
    await auditChange(ctx, tenant, 'updateDeviceManagementUser', {
      at: now,
      before: toWire(tenant, present),
      after,
    });
    return after;
  });

/** Answers the record as it was. */
export const deleteUser = (
  outer: Ctx,
  tenant: Tenant,
  { id, versionid }: DeleteUserBody,
): Promise<WireRecord> =>
  inTx(outer, async (ctx) => {
    const present = await lockOwnRecord(ctx, tenant, 'user', inBody(id), versionid);
    const before = toWire(tenant, present);
    await deleteUserRow(ctx.db, tenant, present.id);
    await auditChange(ctx, tenant, 'deleteDeviceManagementUser', { before });
    return before;
  });
