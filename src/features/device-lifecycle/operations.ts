import type { BeforeDeletion } from '../devices/index.ts';
import { activateOperation } from './activate-devices.ts';
import { deactivateOperation } from './deactivate-devices.ts';
import { suspensionStatusOperation } from './report-suspensions.ts';
import { restoreOperation } from './restore-devices.ts';
import { suspendOperation } from './suspend-devices.ts';

/** All that can be asked for here. */
export const lifecycleOperations = (beforeDeletion: BeforeDeletion) =>
  [
    activateOperation,
    suspendOperation,
    restoreOperation,
    deactivateOperation(beforeDeletion),
    suspensionStatusOperation,
  ] as const;
