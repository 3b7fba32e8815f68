import type { Ctx } from '../../platform/context/context.ts';
import type { Restart } from './session-report.ts';
import { closeSessionsOn, listProfilesOn } from './sql-restart.ts';

const PROFILES = 100;
const BATCH = 1_000;

/** Closes the open sessions of access servers that have started or stopped, profile by profile. */
export async function closeOnRestart({ db }: Ctx, restarts: readonly Restart[]): Promise<void> {
  const newest = new Map<string, number>();
  for (const { nas, atMs } of restarts) newest.set(nas, Math.max(atMs, newest.get(nas) ?? atMs));
  for (const [nas, atMs] of newest) {
    const at = new Date(atMs);
    for (let after: string | undefined = ''; after !== undefined; ) {
      const profiles: string[] = await listProfilesOn(db, nas, after, PROFILES);
      for (const ecpdId of profiles) while ((await closeSessionsOn(db, ecpdId, nas, at, BATCH)) === BATCH);
      after = profiles.length < PROFILES ? undefined : profiles.at(-1);
    }
  }
}
