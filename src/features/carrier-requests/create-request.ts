import type { Static, TSchema } from 'typebox';
import type { AccountName } from '../../kernel/account-name.ts';
import type { DeviceId } from '../../kernel/device-id.ts';
import { type Actor, type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { refuseBeyond } from '../../platform/flow-control/open-requests.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import type { JobKind } from '../../platform/jobs/job.ts';
import { listPlanCodes } from '../plans/index.ts';
import { type AskedOperation, OPEN_MAX, type RequestLimits } from './carrier-operation.ts';
import { carrierFaults, deviceFaults, toDeviceFault } from './errors.ts';
import { findNamedDevices } from './find-named-devices.ts';
import type { Selection } from './parse-selection.ts';
import type { WorkPayload } from './schemas.ts';
import { insertDevices, insertMatchingDevices, insertOwnDevices, type NewDevice } from './sql-device.ts';
import { countOpen, insertRequest } from './sql-request.ts';

/** The job that works on requests. It knows all operations, and how many devices a request may have. */
export type WorkJob = JobKind<typeof WorkPayload> & Pick<RequestLimits, 'devicesMax'>;

interface Asked<S extends TSchema> {
  readonly operation: AskedOperation<S>;
  readonly body: Static<S>;
  readonly createdBy: string;
}

export interface Creation<S extends TSchema> extends Asked<S> {
  readonly selection: Selection;
  /** Other accounts of the caller, if the operation takes devices from them. */
  readonly others?: readonly AccountName[];
  /** Selects devices in these states if the request does not name them one by one. */
  readonly states?: readonly string[];
}

async function namedDevices(
  { db }: Ctx,
  tenant: Tenant,
  named: readonly (readonly DeviceId[])[],
  operation: AskedOperation,
  others: readonly AccountName[],
): Promise<{ readonly devices: readonly NewDevice[]; readonly takenFrom: readonly AccountName[] }> {
  const mayAdd = operation.addDevices !== undefined;
  const takesFrom = operation.others && new Set<string>(others);
  const found = await findNamedDevices(db, tenant, named, { mayAdd, takesFrom });
  const unknown = mayAdd ? undefined : toDeviceFault(deviceFaults.notFound);
  const devices = found.map(({ deviceId, fault }, n) => ({
    deviceId,
    ids: named[n]!.map(({ kind, value }) => ({ id: value, kind })),
    fault: fault ?? (deviceId === undefined ? unknown : undefined),
  }));
  const owners = new Set(found.flatMap((one) => (one.deviceId === undefined ? [] : one.accountName)));
  return { devices, takenFrom: others.filter((name) => owners.has(name)) };
}

async function planCodesOf({ db }: Ctx, servicePlan: string | undefined) {
  if (servicePlan === undefined) return undefined;
  const codes = await listPlanCodes(db, servicePlan);
  return codes.length > 0 ? codes : refuse(carrierFaults.planNotFound);
}

/** Inserts the request, its devices and its job together. Returns undefined if there is no device. */
async function write<S extends TSchema>(
  ctx: Ctx,
  tenant: Tenant,
  { operation, body, createdBy, createdByKind }: Asked<S> & { readonly createdByKind: Actor['kind'] },
  job: WorkJob,
  writeDevices: (requestId: string) => Promise<number>,
): Promise<string | undefined> {
  const requestId = ctx.newId();
  const deviceCount = await writeDevices(requestId);
  if (deviceCount === 0) return undefined;
  if (deviceCount > job.devicesMax) refuse(carrierFaults.tooManyDevices);
  const request = { requestId, operation: operation.name, deviceCount, body, createdBy, createdByKind };
  await insertRequest(ctx.db, tenant, request, ctx.now());
  await enqueueJobs(ctx, job, tenant.ecpdId, [{ payload: { accountName: tenant.accountName, requestId } }]);
  return requestId;
}

/** Accepts a request. Faults of single devices are found now, and reported like any other result. */
export async function createRequest<S extends TSchema>(
  outer: Ctx,
  tenant: Tenant,
  { selection, states = [], others = [], ...given }: Creation<S>,
  job: WorkJob,
): Promise<{ readonly requestId: string }> {
  const named =
    'named' in selection
      ? await namedDevices(outer, tenant, selection.named, given.operation, others)
      : undefined;
  const { operation, body } = given;
  const takenFrom = named?.takenFrom ?? [];
  const asked =
    takenFrom.length > 0 && operation.others !== undefined
      ? { ...given, body: operation.others.add(body, takenFrom) }
      : given;
  const planCodes = 'named' in selection ? undefined : await planCodesOf(outer, selection.servicePlan);
  return inTx(outer, async (ctx) => {
    const { db } = ctx;
    await refuseBeyond(OPEN_MAX, (max) => countOpen(db, tenant, max), carrierFaults.tooManyRequests);
    const requestId = await write(ctx, tenant, { ...asked, createdByKind: 'user' }, job, (id) =>
      'named' in selection
        ? insertDevices(db, tenant, id, named?.devices ?? [])
        : insertMatchingDevices(db, tenant, id, {
            planCodes,
            states,
            limit: job.devicesMax + 1,
          }),
    );
    return { requestId: requestId ?? refuse(carrierFaults.noneSelected) };
  });
}

/**
 * For features that act on their own. Call it in the transaction that made the action necessary, with at most as many
 * device ids as the job takes. Devices that the account does not have are left out. Returns undefined if none remains.
 */
export async function createRequestFor<S extends TSchema>(
  tx: Ctx,
  tenant: Tenant,
  { deviceIds, ...asked }: Asked<S> & { readonly deviceIds: readonly string[] },
  job: WorkJob,
): Promise<string | undefined> {
  if (deviceIds.length > job.devicesMax) throw new RangeError(`${deviceIds.length} devices in one request`);
  return write(tx, tenant, { ...asked, createdByKind: 'system' }, job, (id) =>
    insertOwnDevices(tx.db, tenant, id, deviceIds),
  );
}
