import { activateOperation } from './activate-devices.ts';
import { deactivateOperation } from './deactivate-devices.ts';
import { suspensionStatusOperation } from './report-suspensions.ts';
import { restoreOperation } from './restore-devices.ts';
import { suspendOperation } from './suspend-devices.ts';

/** All that can be asked for here. */
export const lifecycleOperations = [
  activateOperation,
  suspendOperation,
  restoreOperation,
  deactivateOperation,
  suspensionStatusOperation,
] as const;
