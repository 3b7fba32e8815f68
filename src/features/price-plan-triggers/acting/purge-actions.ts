import { definePurge } from '../../../platform/jobs/purge.ts';
import { deleteOldActions } from './sql-action.ts';
import { deleteOldChainLines } from './sql-chain.ts';

const BATCH = 500;
const DAY_MS = 24 * 3_600_000;
/** A firing stays until its cycle is as old as it must be, and so does what it did. */
const CYCLE_DAYS_MAX = 31;

/** Actions go after the firings that asked for them, and with them what is known of their chains. */
export function purgeActions(keptDays: number) {
  const keptMs = (keptDays + CYCLE_DAYS_MAX) * DAY_MS;
  return definePurge({
    kind: 'price-plan-triggers.purge-actions',
    batch: BATCH,
    retentions: [
      { keptMs, deleteBefore: deleteOldActions },
      { keptMs, deleteBefore: deleteOldChainLines },
    ],
  });
}
