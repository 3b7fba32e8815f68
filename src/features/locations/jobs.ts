import { definePurge } from '../../platform/jobs/purge.ts';
import { deleteOldHistory, deleteOldPositions } from './sql-history.ts';

const DAY_MS = 24 * 3_600_000;
const BATCH = 5_000;

export const purgePositions = (keptDays: { readonly positions: number; readonly history: number }) =>
  definePurge({
    kind: 'locations.purge',
    batch: BATCH,
    retentions: [
      { keptMs: keptDays.positions * DAY_MS, deleteBefore: deleteOldPositions },
      { keptMs: keptDays.history * DAY_MS, deleteBefore: deleteOldHistory },
    ],
  });
