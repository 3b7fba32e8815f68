import { type Ctx, inTx, type Tenant } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { recordFaults } from '../errors.ts';
import { documentOf, type WireRecord } from '../querying/wire.ts';
import { changeOwn, createOwn, deleteOwn } from './own-record.ts';
import { parseUser } from './parse-fields.ts';
import type { CreateUserBody, DeleteUserBody, UpdateUserBody } from './schemas.ts';
import { deleteUserRow, insertUser, updateUserRow } from './sql-write.ts';

/** The time of acceptance: repeating the acceptance keeps the first time, and withdrawing it clears the time. */
function termsOf(given: WireRecord, present: WireRecord, now: Date) {
  const { ackterms } = given;
  const isNews = ackterms === true && (present['ackterms'] !== true || present['acktermson'] === undefined);
  return {
    patch: isNews ? { acktermson: now.toISOString() } : {},
    dropped: ackterms === false ? ['acktermson'] : [],
  };
}

const inBody = (id: string) => ({ kind: 'user', id, cause: 'id' }) as const;

/** A user logs in with an e-mail address: the user's own, unless another one is given. */
export const createUser = (outer: Ctx, tenant: Tenant, { user }: CreateUserBody): Promise<WireRecord> =>
  inTx(outer, async (ctx) => {
    const given = parseUser(user);
    const credentialsid = given['credentialsid'] ?? given['email'];
    if (credentialsid === undefined) refuse(recordFaults.badEmail, { cause: 'user.email' });
    const [id, versionId] = [ctx.newId(), ctx.newId()];
    const { wire } = await createOwn(ctx, tenant, 'createDeviceManagementUser', inBody(id), (now) => {
      const record = { email: credentialsid, ...given, credentialsid, requestedon: now.toISOString() };
      const terms = termsOf(given, {}, now).patch;
      return insertUser(ctx.db, tenant, { userId: id, versionId }, { ...record, ...terms }, now);
    });
    return wire;
  });

/** Absent fields stay; customdata is replaced as a whole. */
export const updateUser = (outer: Ctx, tenant: Tenant, body: UpdateUserBody): Promise<WireRecord> =>
  inTx(outer, async (ctx) => {
    const given = parseUser(body.user);
    const named = { ...inBody(body.id), seen: [body.versionid, body.user.versionid] };
    const { wire } = await changeOwn(ctx, tenant, 'updateDeviceManagementUser', named, (present, now) => {
      const { patch, dropped } = termsOf(given, documentOf(present), now);
      return updateUserRow(ctx.db, tenant, present.id, { patch: { ...given, ...patch }, dropped }, now);
    });
    return wire;
  });

/** Returns the last record. */
export const deleteUser = (outer: Ctx, tenant: Tenant, body: DeleteUserBody): Promise<WireRecord> =>
  inTx(outer, async (ctx) => {
    const named = { ...inBody(body.id), seen: body.versionid };
    const { wire } = await deleteOwn(ctx, tenant, 'deleteDeviceManagementUser', named, ({ id }) =>
      deleteUserRow(ctx.db, tenant, id),
    );
    return wire;
  });
