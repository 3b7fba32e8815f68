import { definePurge } from '../../platform/jobs/purge.ts';
import { deleteEnded } from './sql.ts';

const KEPT_MS = 90 * 86_400_000;

/** Deletes the entries of files taken long ago. Their records are still known by their ids. */
export const purgeUsageFiles = definePurge({
  kind: 'usage-files.purge',
  batch: 1_000,
  retentions: [{ keptMs: KEPT_MS, deleteBefore: deleteEnded }],
});
