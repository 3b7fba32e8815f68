import { definePurge } from '../../platform/jobs/purge.ts';
import { deleteEnded, deleteMarks } from './sql.ts';

const LEAST_DAYS = 90;

/**
 * Deletes the entries of files taken long ago, by real time, as they are dated. Rows of a file that grew are known by the
 * entries of its parts or its whole, so these stay as long as usage.
 */
export const purgeUsageFiles = (retentionDays: { readonly usage: number }) => {
  const keptMs = Math.max(LEAST_DAYS, retentionDays.usage) * 86_400_000;
  return definePurge({
    kind: 'usage-files.purge',
    batch: 1_000,
    now: () => new Date(),
    retentions: [
      { keptMs, deleteBefore: deleteMarks },
      { keptMs, deleteBefore: deleteEnded },
    ],
  });
};
