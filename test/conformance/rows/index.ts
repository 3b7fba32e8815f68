import type { Section } from '../row.ts';
import { accounts } from './accounts.ts';
import { callbacks } from './callbacks.ts';
import { deviceManagement } from './device-management.ts';
import { devicesAndBilling } from './devices-and-billing.ts';
import { errors } from './errors.ts';
import { limits } from './limits.ts';
import { location } from './location.ts';
import { notification } from './notification.ts';
import { pricePlanTriggers } from './price-plan-triggers.ts';
import { states } from './states.ts';
import { usageTriggers } from './usage-triggers.ts';

const chapter = ({ number }: Section): number[] => number.match(/\d+/g)!.map(Number);
const inOrder = (one: Section, other: Section): number => {
  const [a, b] = [chapter(one), chapter(other)];
  const at = a.findIndex((n, index) => n !== b[index]);
  return at === -1 ? a.length - b.length : a[at]! - (b[at] ?? -1);
};

/** Every table of the interface, in its order. */
export const sections: readonly Section[] = [
  ...usageTriggers,
  ...pricePlanTriggers,
  ...notification,
  ...location,
  ...states,
  ...deviceManagement,
  ...devicesAndBilling,
  ...accounts,
  ...limits,
  ...callbacks,
  ...errors,
].toSorted(inOrder);
