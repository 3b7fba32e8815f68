import type { BeforeDeletion, MoveLines } from '../devices/index.ts';
import { activateOperation } from './activate-devices.ts';
import { deactivateOperation } from './deactivate-devices.ts';
import { suspensionStatusOperation } from './report-suspensions.ts';
import { restoreOperation } from './restore-devices.ts';
import { suspendOperation } from './suspend-devices.ts';

/** All that can be asked for here. */
export const lifecycleOperations = (beforeDeletion: BeforeDeletion, moveLines: MoveLines) =>
  [
    activateOperation(moveLines),
    suspendOperation,
    restoreOperation,
    deactivateOperation(beforeDeletion),
    suspensionStatusOperation,
  ] as const;
