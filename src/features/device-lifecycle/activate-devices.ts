import { Type } from 'typebox';
import { toDeviceRefs } from '../../kernel/device-id.ts';
import { activated } from '../callbacks/index.ts';
import {
  type DeviceFault,
  defineOperation,
  type LockedDevice,
  type Outcome,
  toDeviceFault,
} from '../carrier-requests/index.ts';
import { insertDevices, setPlans, setStates } from '../devices/index.ts';
import { findPlanRules, type PlanRules, supportsModel } from '../plans/index.ts';
import { transitionFaults } from './errors.ts';
import { isAllowed } from './lifecycle.ts';
import { provideLines } from './provide-lines.ts';

/** What every line can do. */
const FEATURE_CODES = ['DATA', 'SMS'];
const LINE_KINDS = ['mdn', 'imsi', 'iccid', 'msisdn', 'min'] as const;

const Body = Type.Object({ servicePlan: Type.String(), mdnZipCode: Type.String() });

function faultOf(device: LockedDevice, plan: PlanRules): DeviceFault | undefined {
  if (device.state === 'active') return toDeviceFault(transitionFaults.alreadyActive);
  if (!isAllowed('activate', device.state)) return toDeviceFault(transitionFaults.wrongState, device.state);
  if (!supportsModel(plan, device.model)) return toDeviceFault(transitionFaults.notSupported);
  return undefined;
}

/** Devices that nobody has are added first, and stay when the plan does not support them. */
export const activateOperation = defineOperation({
  name: 'activate',
  body: Body,

  async addDevices({ db, newId, now }, tenant, _request, unknown) {
    const devices = unknown.map(({ nth, ids }) => ({ nth, ids, deviceId: newId() }));
    await insertDevices(db, tenant, devices, now());
    return new Map(devices.map(({ nth, deviceId }) => [nth, deviceId]));
  },

  async handle(ctx, tenant, { body, createdBy }, devices) {
    const { db } = ctx;
    const now = ctx.now();
    const plan = await findPlanRules(db, body.servicePlan);
    if (plan === undefined) throw new Error(`there is no plan ${body.servicePlan} any more`);
    const outcomes = new Map<string, Outcome>();
    for (const device of devices) {
      const fault = faultOf(device, plan);
      if (fault !== undefined) outcomes.set(device.deviceId, { fault });
    }
    const fit = devices.filter(({ deviceId }) => !outcomes.has(deviceId));
    const ids = fit.map(({ deviceId }) => deviceId);
    const lines = await provideLines(ctx, tenant, fit, createdBy);
    await setStates(db, tenant, ids, { state: 'active', now });
    const changes = ids.map((deviceId) => ({ deviceId, planCode: plan.code }));
    await setPlans(ctx, tenant, changes, { cause: 'activation', changedBy: createdBy });
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
