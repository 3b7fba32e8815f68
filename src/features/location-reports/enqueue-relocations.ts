import { NIL_UUID } from '../../kernel/uuid.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import type { JobKind } from '../../platform/jobs/job.ts';
import { type Accuracy, consentsGiven } from '../consents/index.ts';
import type { RelocatePayload } from './schemas.ts';
import { listAccountsUnasked, listAwaitedDevices, listUnasked } from './sql-awaited.ts';
import { hasOpenLocationRequests } from './sql-request.ts';
import { findAskable } from './work-request.ts';

const DEVICES_PER_PAGE = 5_000;
const DEVICES_PER_JOB = 250;
const ACCOUNTS_PER_PAGE = 500;

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
 * Finds the account's devices that were not located for lack of consent and may be located now. Handles one page; the job
 * for the next page is enqueued together with the jobs for this one.
 */
export async function relocateConsented(
  ctx: Ctx,
  tenant: Tenant,
  after: string | undefined,
  relocate: Relocate,
  pageSize = DEVICES_PER_PAGE,
): Promise<void> {
  const page = { after: after ?? NIL_UUID, limit: pageSize };
  const devices = await listUnasked(ctx.db, tenant, page);
  const askable = new Set<string>();
  for (const accuracy of ['coarse', 'precise'] satisfies Accuracy[]) {
    const its = devices.filter(({ accuracies }) => accuracies.includes(accuracy));
    const ids = its.map(({ deviceId }) => deviceId);
    const { known } = await findAskable(ctx, tenant, ids, accuracy);
    // A line that left while its entry was written is found missing when it is asked for.
    for (const id of ids) if (known.get(id) !== 'withheld') askable.add(id);
  }
  if (askable.size > 0) await enqueueRelocations(ctx, tenant, [...askable], relocate);
  const last = devices.at(-1);
  if (devices.length < pageSize || last === undefined) return;
  const { ecpdId, accountName } = tenant;
  await enqueueJobs(ctx, consentsGiven, ecpdId, [{ payload: { accountName, after: last.deviceId } }]);
}

/**
 * For unreported changes of consent: by an import, or because a device got another identifier. Handles one page of accounts, with
 * one statement for each of their profiles. Returns the last account if more may follow.
 */
export async function recheckConsents(
  ctx: Ctx,
  after: Tenant | undefined,
  pageSize = ACCOUNTS_PER_PAGE,
): Promise<Tenant | undefined> {
  const accounts = await listAccountsUnasked(ctx.db, after, pageSize);
  for (const [ecpdId, own] of Map.groupBy(accounts, (account) => account.ecpdId)) {
    const payloads = own.map(({ accountName }) => ({ payload: { accountName } }));
    await enqueueJobs(ctx, consentsGiven, ecpdId, payloads);
  }
  return accounts.length < pageSize ? undefined : accounts.at(-1);
}

/** After this time, the answer to a network query in progress has been written. */
const ANSWERED_MS = 60_000;

/** Call it in the transaction in which the devices became reachable. Entries that wait for them are located soon. */
export async function devicesBecameReachable(
  ctx: Ctx,
  tenant: Tenant,
  deviceIds: readonly string[],
  relocate: Relocate,
): Promise<void> {
  // Queried first: if no request is in progress, every entry that waits for the devices is already visible.
  const isInProgress = await hasOpenLocationRequests(ctx.db, tenant);
  const awaited = await listAwaitedDevices(ctx.db, tenant.ecpdId, deviceIds);
  if (awaited.length > 0) await enqueueRelocations(ctx, tenant, awaited, relocate);
  // The network may just have answered that a device cannot be reached, and the answer is not written yet.
  const answeredAt = new Date(ctx.now().getTime() + ANSWERED_MS);
  if (isInProgress) await enqueueRelocations(ctx, tenant, deviceIds, relocate, answeredAt);
}
