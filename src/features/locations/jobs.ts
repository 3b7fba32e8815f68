import { definePurge } from '../../platform/jobs/purge.ts';
import { deleteOldPositions } from './sql-position.ts';

const DAY_MS = 24 * 3_600_000;
const BATCH = 5_000;

export const purgePositions = (keptDays: number) =>
  definePurge({
    kind: 'locations.purge',
    batch: BATCH,
    retentions: [{ keptMs: keptDays * DAY_MS, deleteBefore: deleteOldPositions }],
  });
