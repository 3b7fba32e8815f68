import type { FaultKind } from '../../platform/fault.ts';
import type { LockedDevice } from '../carrier-requests/index.ts';
import type { PlanRules } from '../plans/index.ts';
import { planDeviceFaults } from './errors.ts';
import { CHANGES_PER_MONTH } from './limits.ts';
import type { PlaceOfUse } from './place-of-use.ts';
import type { StoredChange } from './schemas.ts';

export interface Circumstances {
  readonly change: StoredChange;
  readonly plan: PlanRules;
  readonly place: PlaceOfUse | undefined;
  readonly serviceableZips: ReadonlySet<string>;
  readonly changesThisMonth: number;
}

export type Verdict = 'change' | 'has it already' | 'skip' | { readonly fault: FaultKind };

/** Address qualification: unlimited plans for one place are sold only where they can be served. */
export const needsQualification = ({ kind, fixedLocation }: PlanRules): boolean =>
  kind === 'unlimited' && fixedLocation;

function addressFault({ plan, place, serviceableZips }: Circumstances): FaultKind | undefined {
  if (!needsQualification(plan)) return undefined;
  if (place === undefined) return planDeviceFaults.addressMissing;
  return serviceableZips.has(place.address.zip) ? undefined : planDeviceFaults.addressNotQualified;
}

const isSupported = ({ models }: PlanRules, model: string | null): boolean =>
  models === null || (model !== null && models.includes(model));

/** Each rule for one device. A device that has the plan already succeeds, and no change is counted. */
export function judgeDevice(device: LockedDevice, circumstances: Circumstances): Verdict {
  const { change, plan, changesThisMonth } = circumstances;
  if (device.state === 'suspend')
    return change.skipsSuspended ? 'skip' : { fault: planDeviceFaults.suspended };
  if (device.state !== 'active') return { fault: planDeviceFaults.notActive };
  if (device.activatedBySku && !device.otaUpdated) return { fault: planDeviceFaults.otaMissing };
  const { currentServicePlan } = change;
  if (currentServicePlan !== undefined && device.servicePlan !== currentServicePlan)
    return { fault: planDeviceFaults.notOnCurrentPlan };
  if (!isSupported(plan, device.model)) return { fault: planDeviceFaults.notSupported };
  const unqualified = addressFault(circumstances);
  if (unqualified !== undefined) return { fault: unqualified };
  if (device.servicePlan === plan.code) return 'has it already';
  return changesThisMonth < CHANGES_PER_MONTH ? 'change' : { fault: planDeviceFaults.tooManyChanges };
}
