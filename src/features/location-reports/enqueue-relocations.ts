import { NIL_UUID } from '../../kernel/uuid.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import type { JobKind } from '../../platform/jobs/job.ts';
import { type Accuracy, consentsGiven, listWithheld } from '../consents/index.ts';
import type { RelocatePayload } from './schemas.ts';
import { listAccountsUnasked, listAwaitedDevices, listUnasked } from './sql-awaited.ts';
import { hasOpenLocationRequests } from './sql-request.ts';

const DEVICES_PER_LOOK = 5_000;
const DEVICES_PER_JOB = 250;
const ACCOUNTS_PER_LOOK = 1_000;

export type Relocate = JobKind<typeof RelocatePayload>;

export const enqueueRelocations = (
  ctx: Ctx,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  relocate: Relocate,
  dueAt?: Date,
) =>
  enqueueJobs(
    ctx,
    relocate,
    ecpdId,
    Array.from({ length: Math.ceil(deviceIds.length / DEVICES_PER_JOB) }, (_, n) => ({
      payload: { accountName, deviceIds: deviceIds.slice(n * DEVICES_PER_JOB, (n + 1) * DEVICES_PER_JOB) },
      ...(dueAt && { dueAt }),
    })),
  );

/**
 * Looks which of the account's devices that were not asked for, for want of consent, may be now. One page of them: the
 * job for the next page is made with what follows from this one.
 */
export async function relocateConsented(
  ctx: Ctx,
  tenant: Tenant,
  after: string | undefined,
  relocate: Relocate,
  perLook = DEVICES_PER_LOOK,
): Promise<void> {
  const page = { after: after ?? NIL_UUID, limit: perLook };
  const devices = await listUnasked(ctx.db, tenant, page);
  const allowed = new Set<string>();
  for (const accuracy of ['coarse', 'precise'] satisfies Accuracy[]) {
    const its = devices.filter(({ accuracies }) => accuracies.includes(accuracy));
    const ids = its.map(({ deviceId }) => deviceId);
    const withheld = await listWithheld(ctx.db, tenant, ids, accuracy);
    for (const id of ids) if (!withheld.has(id)) allowed.add(id);
  }
  if (allowed.size > 0) await enqueueRelocations(ctx, tenant, [...allowed], relocate);
  const last = devices.at(-1);
  if (devices.length < perLook || last === undefined) return;
  const { ecpdId, accountName } = tenant;
  await enqueueJobs(ctx, consentsGiven, ecpdId, [{ payload: { accountName, after: last.deviceId } }]);
}

/** For changes of consent that nobody told: by an import, or because a device has another identifier. */
export async function recheckConsents(ctx: Ctx): Promise<void> {
  let last: Tenant | undefined;
  do {
    const accounts: readonly Tenant[] = await listAccountsUnasked(ctx.db, last, ACCOUNTS_PER_LOOK);
    for (const { ecpdId, accountName } of accounts)
      await enqueueJobs(ctx, consentsGiven, ecpdId, [{ payload: { accountName } }]);
    last = accounts.length < ACCOUNTS_PER_LOOK ? undefined : accounts.at(-1);
  } while (last !== undefined);
}

/** By then the network's answer has been written of a device that was just being asked for. */
const ANSWERED_MS = 60_000;

/** Call it in the transaction in which the devices became reachable: what waits for them is located soon. */
export async function devicesBecameReachable(
  ctx: Ctx,
  tenant: Tenant,
  deviceIds: readonly string[],
  relocate: Relocate,
): Promise<void> {
  // Asked first: where nothing is under way any more, all that waits for the devices can be seen.
  const isUnderWay = await hasOpenLocationRequests(ctx.db, tenant);
  const awaited = await listAwaitedDevices(ctx.db, tenant.ecpdId, deviceIds);
  if (awaited.length > 0) await enqueueRelocations(ctx, tenant, awaited, relocate);
  // The network may have answered a moment ago that one cannot be reached, and nobody written it down yet.
  const answeredAt = new Date(ctx.now().getTime() + ANSWERED_MS);
  if (isUnderWay) await enqueueRelocations(ctx, tenant, deviceIds, relocate, answeredAt);
}
