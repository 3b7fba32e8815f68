import type { FaultKind } from '../../platform/context/fault.ts';
import type { LockedDevice } from '../carrier-requests/index.ts';
import type { PlaceOfUse } from '../devices/index.ts';
import { needsQualification, type PlanRules, supportsModel } from '../plans/index.ts';
import { planDeviceFaults } from './errors.ts';
import type { StoredChange } from './schemas.ts';

/** Plan changes of one active device in a calendar month of its account. */
const CHANGES_PER_MONTH = 4;

interface Circumstances {
  readonly change: StoredChange;
  readonly plan: PlanRules;
  readonly place: PlaceOfUse | undefined;
  readonly serviceableZips: ReadonlySet<string>;
  readonly changesThisMonth: number;
}

export type Verdict = 'change' | 'has it already' | 'skip' | { readonly fault: FaultKind };

function addressFault({ plan, place, serviceableZips }: Circumstances): FaultKind | undefined {
  if (!needsQualification(plan)) return undefined;
  if (place === undefined) return planDeviceFaults.addressMissing;
  return serviceableZips.has(place.address.zip) ? undefined : planDeviceFaults.addressNotQualified;
}

/** Applies every rule to one device. A device that already has the plan succeeds, and no change is counted. */
export function evaluateDevice(device: LockedDevice, circumstances: Circumstances): Verdict {
  const { change, plan, changesThisMonth } = circumstances;
  if (device.state === 'suspend')
    return change.skipsSuspended ? 'skip' : { fault: planDeviceFaults.suspended };
  if (device.state !== 'active') return { fault: planDeviceFaults.notActive };
  if (device.activatedBySku && !device.otaUpdated) return { fault: planDeviceFaults.otaMissing };
  const { currentServicePlan } = change;
  if (currentServicePlan !== undefined && device.servicePlan !== currentServicePlan)
    return { fault: planDeviceFaults.notOnCurrentPlan };
  if (!supportsModel(plan, device.model)) return { fault: planDeviceFaults.notSupported };
  const unqualified = addressFault(circumstances);
  if (unqualified !== undefined) return { fault: unqualified };
  if (device.servicePlan === plan.code) return 'has it already';
  return changesThisMonth < CHANGES_PER_MONTH ? 'change' : { fault: planDeviceFaults.tooManyChanges };
}
