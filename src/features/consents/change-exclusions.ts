import { writeAudit } from '../../platform/context/audit.ts';
import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { withdrawFromEarlier } from './carry-consents.ts';
import { repeated, requireRegistered } from './check-request.ts';
import { EXCLUSIONS_MAX } from './consent.ts';
import { parseLocationId } from './device-ref.ts';
import { consentFaults, deviceListFaults } from './errors.ts';
import { enqueueConsentsGiven } from './jobs.ts';
import { findDevicesByAnyId } from './sql-device.ts';
import { changeExclusions, type NamedDevice } from './sql-exclusion.ts';
import {
  countExclusions,
  findUnlisted,
  holdAccount,
  holdChangedDevices,
  lockExclusionList,
} from './sql-exclusion-list.ts';

interface ListChange {
  readonly type: 'append' | 'replace';
  readonly allDevice: boolean | undefined;
  readonly exclusion: readonly string[] | undefined;
}

const parseIds = (texts: readonly string[]): string[] =>
  texts.map((text) => parseLocationId(text) ?? refuse(consentFaults.badDeviceId));

/** Refuses what can be refused without a query. Returns the identifiers in canonical spelling. */
function parseList({ allDevice, exclusion }: ListChange): string[] {
  if (exclusion === undefined) return [];
  if (allDevice === true) refuse(consentFaults.conflictingList);
  if (exclusion.length === 0 && allDevice === undefined)
    refuse(deviceListFaults.emptyDeviceList, { reason: 'exclusion may be empty only with allDevice false' });
  if (exclusion.length > EXCLUSIONS_MAX) refuse(consentFaults.tooManyExclusions);
  const ids = parseIds(exclusion);
  const again = repeated(exclusion, (_, nth) => ids[nth]!);
  if (again.length > 0) refuse(consentFaults.duplicateExclusions, { named: again });
  return ids;
}

/** Returns one device for each identifier, in their order. */
async function findOwnDevices(
  { db }: Ctx,
  tenant: Tenant,
  ids: readonly string[],
  sent: readonly string[],
): Promise<NamedDevice[]> {
  const found = await findDevicesByAnyId(db, tenant, ids);
  const own = found.flatMap(({ identifier, deviceId }) =>
    deviceId === null ? [] : [{ identifier, deviceId }],
  );
  if (own.length < found.length)
    refuse(consentFaults.ownershipFailed, { named: sent.filter((_, nth) => found[nth]!.deviceId === null) });
  // The list has a device only once, under one of its identifiers.
  const again = repeated(sent, (_, nth) => own[nth]!.deviceId);
  if (again.length > 0) refuse(consentFaults.duplicateExclusions, { named: again });
  return own;
}

async function requireRoom({ db }: Ctx, tenant: Tenant): Promise<void> {
  if ((await countExclusions(db, tenant)) > EXCLUSIONS_MAX) refuse(consentFaults.tooManyExclusions);
}

export const changeExclusionList = (
  outer: Ctx,
  tenant: Tenant,
  change: ListChange,
  username: string,
): Promise<void> =>
  inTx(outer, async (ctx) => {
    await holdAccount(ctx.db, tenant);
    await requireRegistered(ctx, tenant);
    const { type, allDevice, exclusion } = change;
    const sent = exclusion ?? [];
    const add = await findOwnDevices(ctx, tenant, parseList(change), sent);
    const at = await lockExclusionList(ctx, tenant);
    // An empty list is only valid with allDevice false, and clears the list for either type.
    const replaces = exclusion !== undefined && (type === 'replace' || exclusion.length === 0);
    const remove = replaces ? 'others' : 'nothing';
    const held = await holdChangedDevices(ctx.db, tenant, { add, remove });
    // A device that was deleted after its lookup is refused like an unknown one.
    const deleted = sent.filter((_, nth) => !held.has(add[nth]!.deviceId));
    if (deleted.length > 0) refuse(consentFaults.ownershipFailed, { named: deleted });
    const changed = await changeExclusions(ctx.db, tenant, { at, actor: username, allDevice, add, remove });
    await requireRoom(ctx, tenant);
    if (changed > 0 && (replaces || allDevice === false)) await enqueueConsentsGiven(ctx, tenant);
    const added = allDevice === true ? undefined : add.map(({ deviceId }) => deviceId);
    if (changed > 0) await withdrawFromEarlier(ctx.db, tenant.ecpdId, [tenant.accountName], added);
    const after = { type, allDevice, devices: exclusion?.length };
    await writeAudit(ctx, { action: 'changeExclusions', ...tenant, after });
  });

/**
 * Removes entries. Identifiers that are not in the list, or not of the account, are no error: they are as the caller
 * wants them. Returns these as the caller spelt them, each once.
 */
export const removeExclusions = (
  outer: Ctx,
  tenant: Tenant,
  texts: readonly string[],
  username: string,
): Promise<string[]> =>
  inTx(outer, async (ctx) => {
    await holdAccount(ctx.db, tenant);
    await requireRegistered(ctx, tenant);
    const remove = await findDevicesByAnyId(ctx.db, tenant, parseIds(texts));
    const at = await lockExclusionList(ctx, tenant);
    await holdChangedDevices(ctx.db, tenant, { add: [], remove });
    const unlisted = await findUnlisted(ctx.db, tenant, remove);
    const change = { at, actor: username, allDevice: undefined, add: [] as const, remove };
    const changed = await changeExclusions(ctx.db, tenant, change);
    // Devices that shared a removed entry are now listed one by one, which may need more room.
    await requireRoom(ctx, tenant);
    if (changed > 0) await enqueueConsentsGiven(ctx, tenant);
    await writeAudit(ctx, { action: 'removeExclusions', ...tenant, after: { devices: texts.length } });
    const spelt = new Map(remove.map(({ identifier }, nth) => [identifier, texts[nth]!.trim()]));
    return [...spelt].flatMap(([identifier, text]) => (unlisted.has(identifier) ? [text] : []));
  });
