import type { Static } from 'typebox';
import { toDeviceRefs } from '../../kernel/device-id.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { tenantOf } from '../../platform/jobs/job.ts';
import { activated } from '../callback-payloads/index.ts';
import {
  type DeviceFault,
  defineAsked,
  defineOperation,
  deviceFaults,
  type LockedDevice,
  lockAccountOfDevices,
  type Outcome,
  toDeviceFault,
  wordOf,
} from '../carrier-requests/index.ts';
import { insertDevices, type MoveLines, setActive, setPlans, upsertPlacesOfUse } from '../devices/index.ts';
import { countErasable } from '../locations/index.ts';
import {
  findPlanRules,
  listServiceableZips,
  needsQualification,
  type PlanRules,
  supportsModel,
} from '../plans/index.ts';
import { prepareMove } from '../usage/index.ts';
import { transitionFaults } from './errors.ts';
import { isAllowed } from './lifecycle.ts';
import { addNamedIds, findNamedIds, provideLines, provideNumbers } from './lines/provide-lines.ts';
import { listAddressOwners } from './lines/sql-line.ts';
import { StoredActivation } from './schemas.ts';

type Asked = Static<typeof StoredActivation>;

/** Features of every line. */
const FEATURE_CODES = ['DATA', 'SMS'];
const LINE_KINDS = ['mdn', 'imsi', 'iccid', 'msisdn', 'min'] as const;

function faultOf(device: LockedDevice, { accountName }: Tenant, plan: PlanRules): DeviceFault | undefined {
  if (device.accountName !== accountName && device.state !== 'deactive')
    return toDeviceFault(deviceFaults.otherAccount);
  if (device.state === 'active') return toDeviceFault(transitionFaults.alreadyActive);
  if (!isAllowed('activate', device.state)) return toDeviceFault(transitionFaults.wrongState, device.state);
  if (!supportsModel(plan, device.model)) return toDeviceFault(transitionFaults.notSupported);
  return undefined;
}

/** A given place of use must be one where the plan is sold. Only a plan change requires one. */
async function isQualified(db: Db, plan: PlanRules, { place }: Asked): Promise<boolean> {
  if (place === undefined || !needsQualification(plan)) return true;
  return (await listServiceableZips(db, [place.address.zip])).size > 0;
}

/** The requested addresses by device. An address that another line has, or gets by this request, is a fault. */
async function claimAddresses(
  db: Db,
  tenant: Tenant,
  { ipAddresses = {} }: Asked,
  devices: readonly LockedDevice[],
): Promise<{ readonly asked: ReadonlyMap<string, string>; readonly refused: readonly string[] }> {
  const wanted = devices.flatMap(({ deviceId, answered: { deviceIds } }) => {
    const ipAddress = deviceIds[0] && ipAddresses[wordOf(deviceIds[0])];
    return ipAddress === undefined ? [] : [{ deviceId, ipAddress }];
  });
  const owners = new Map(
    await listAddressOwners(
      db,
      tenant,
      wanted.map(({ ipAddress }) => ipAddress),
    ),
  );
  const asked = new Map<string, string>();
  for (const { deviceId, ipAddress } of wanted)
    if ((owners.get(ipAddress) ?? deviceId) === deviceId) {
      owners.set(ipAddress, deviceId);
      asked.set(deviceId, ipAddress);
    }
  const refused = wanted.map(({ deviceId }) => deviceId).filter((deviceId) => !asked.has(deviceId));
  return { asked, refused };
}

/** The part that the routes need. The worker's part also moves lines between accounts. */
export const activation = defineAsked({
  name: 'activate',
  body: StoredActivation,
  others: {
    add: (body, takenFrom) => ({ ...body, takenFrom: [...takenFrom] }),
    of: ({ takenFrom = [] }) => takenFrom,
  },
  /** Unknown devices are added first. They stay even if the plan does not support them. */
  async addDevices(ctx, tenant, _request, unknown) {
    const devices = unknown.map(({ nth, ids }) => ({ nth, ids, deviceId: ctx.newId() }));
    await insertDevices(ctx, tenant, devices);
    return new Map(devices.map(({ nth, deviceId }) => [nth, deviceId]));
  },
});

/** Moves lines from other accounts to this one. Lines that cannot be activated stay where they are. */
async function takeOver(
  ctx: Ctx,
  tenant: Tenant,
  devices: readonly LockedDevice[],
  { moveLines, changedBy }: { readonly moveLines: MoveLines; readonly changedBy: string },
): Promise<void> {
  const leaving = devices.filter(({ accountName }) => accountName !== tenant.accountName);
  for (const [accountName, some] of Map.groupBy(leaving, (device) => device.accountName)) {
    const from = tenantOf(tenant.ecpdId, accountName);
    await moveLines(ctx, { from, to: tenant, deviceIds: some.map(({ deviceId }) => deviceId), changedBy });
  }
}

export const activateOperation = (moveLines: MoveLines) =>
  defineOperation({
    ...activation,
    changesLines: {
      /** A line keeps the numbers that elements have received. */
      async keep(ctx, { ecpdId }, devices) {
        for (const [accountName, some] of Map.groupBy(devices, (device) => device.accountName)) {
          const owner = tenantOf(ecpdId, accountName);
          await provideNumbers(ctx, owner, await addNamedIds(ctx, owner, await findNamedIds(ctx, some)));
        }
      },
    },

    async prepare(ctx, { ecpdId }, { takenFrom = [] }) {
      if (takenFrom.length === 0) return;
      await prepareMove(ctx, ecpdId, takenFrom);
      for (const accountName of takenFrom.toSorted())
        await lockAccountOfDevices(ctx.db, { ecpdId, accountName });
    },

    /** Feeds of the accounts wait while the positions of lines that leave them are deleted. */
    countFitting: async ({ db }, { ecpdId }, { takenFrom = [] }, deviceIds) =>
      takenFrom.length === 0 ? deviceIds.length : countErasable(db, ecpdId, deviceIds),

    async handle(ctx, tenant, { body, createdBy }, devices) {
      const { db } = ctx;
      const now = ctx.now();
      const plan = await findPlanRules(db, body.servicePlan);
      if (plan === undefined) throw new Error(`the plan ${body.servicePlan} no longer exists`);
      const outcomes = new Map<string, Outcome>();
      const fail = (deviceId: string, fault: DeviceFault) => outcomes.set(deviceId, { fault });
      const unqualified = (await isQualified(db, plan, body))
        ? undefined
        : toDeviceFault(transitionFaults.addressNotQualified);
      for (const device of devices) {
        const fault = faultOf(device, tenant, plan) ?? unqualified;
        if (fault !== undefined) fail(device.deviceId, fault);
      }
      const isFit = ({ deviceId }: LockedDevice) => !outcomes.has(deviceId);
      const { asked, refused } = await claimAddresses(db, tenant, body, devices.filter(isFit));
      for (const deviceId of refused) fail(deviceId, toDeviceFault(transitionFaults.ipAddressTaken));
      const named = await findNamedIds(ctx, devices.filter(isFit));
      const complete = new Set(named.map(({ device }) => device.deviceId));
      for (const { deviceId } of devices.filter(isFit))
        if (!complete.has(deviceId)) fail(deviceId, toDeviceFault(deviceFaults.contradicting));
      await takeOver(ctx, tenant, devices.filter(isFit), { moveLines, changedBy: createdBy });
      const fit = await addNamedIds(ctx, tenant, named);
      const lines = await provideLines(ctx, tenant, fit, asked);
      const ids = fit.map(({ deviceId }) => deviceId);
      await setActive(
        ctx,
        tenant,
        ids.map((deviceId) => ({ deviceId, ipAddress: lines.get(deviceId)!.ipAddress })),
        { activatedBy: createdBy, skuNumber: body.skuNumber },
      );
      const changes = ids.map((deviceId) => ({ deviceId, planCode: plan.code }));
      await setPlans(ctx, tenant, changes, { cause: 'activation', changedBy: createdBy });
      const { place } = body;
      if (place !== undefined && ids.length > 0)
        await upsertPlacesOfUse(
          db,
          tenant,
          ids.map((deviceId) => ({ deviceId, place })),
          now,
        );
      for (const device of fit) {
        const { ids: numbers, ipAddress, credential } = lines.get(device.deviceId)!;
        const payload = activated(device.answered, {
          deviceIds: toDeviceRefs({ ...device, ...numbers }, LINE_KINDS),
          ipAddress,
          servicePlan: plan.code,
          featureCodes: FEATURE_CODES,
          deviceCredential: credential,
        });
        outcomes.set(device.deviceId, { payload });
      }
      return outcomes;
    },
  });
