import { definePurge } from '../../platform/jobs/purge.ts';
import { deleteOldFirings } from './sql.ts';

const BATCH = 5_000;
const DAY_MS = 24 * 3_600_000;

/** Firings are deleted together with the usage that caused them. */
export const purgeFirings = (keptDays: number) =>
  definePurge({
    kind: 'firings.purge',
    batch: BATCH,
    retentions: [{ keptMs: keptDays * DAY_MS, deleteBefore: deleteOldFirings }],
  });
