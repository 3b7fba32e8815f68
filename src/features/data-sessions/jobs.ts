import { Type } from 'typebox';
import { defineJob } from '../../platform/jobs/job.ts';
import { definePurge, deleteInBatches } from '../../platform/jobs/purge.ts';
import { closeSilent, deleteClosed, listProfilesWithSilent } from './sql-ageing.ts';
import { deleteDoubts } from './sql-doubt.ts';
import { deleteRestarts } from './sql-restart.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Access servers report at intervals of minutes to hours. After a longer silence the server has forgotten the session. */
const SILENT_MS = DAY_MS;
/** A report for a deleted session would count in full. No report arrives this late. */
const KEPT_MS = 30 * DAY_MS;
const PROFILES = 1_000;
const BATCH = 5_000;

const closeSilentSessions = defineJob({
  kind: 'data-sessions.close',
  schema: Type.Object({}),
  attemptsMax: 5,
  commits: 'steps',
  everyMs: HOUR_MS,
  async run({ db, now }, _payload, { signal }) {
    const before = new Date(now().getTime() - SILENT_MS);
    for (let after: string | undefined = ''; after !== undefined; ) {
      const profiles: string[] = await listProfilesWithSilent(db, before, { after, limit: PROFILES });
      for (const ecpdId of profiles)
        await deleteInBatches(signal, () => closeSilent(db, ecpdId, before, BATCH));
      after = profiles.length < PROFILES ? undefined : profiles.at(-1);
    }
    return undefined;
  },
});

/** Close sessions whose stop was never reported, and delete old closed ones. Doubts are kept as long as usage records. */
export const sessionJobs = (retentionDays: { readonly usage: number }) => [
  closeSilentSessions,
  definePurge({
    kind: 'data-sessions.purge',
    batch: BATCH,
    retentions: [
      { keptMs: KEPT_MS, deleteBefore: deleteClosed },
      { keptMs: KEPT_MS, deleteBefore: deleteRestarts },
      { keptMs: retentionDays.usage * DAY_MS, deleteBefore: deleteDoubts },
    ],
  }),
];
