import type { DeviceState } from '../devices/index.ts';

/** The states from which and to which each operation leads. The README draws them. */
export const TRANSITIONS = {
  activate: { from: ['pre-active', 'deactive'], to: 'active' },
  suspend: { from: ['active'], to: 'suspend' },
  restore: { from: ['suspend'], to: 'active' },
  deactivate: { from: ['pre-active', 'active', 'suspend'], to: 'deactive' },
} as const satisfies Record<string, { from: readonly DeviceState[]; to: DeviceState }>;

export type Transition = keyof typeof TRANSITIONS;

export const isAllowed = (transition: Transition, state: DeviceState): boolean =>
  (TRANSITIONS[transition].from as readonly DeviceState[]).includes(state);
