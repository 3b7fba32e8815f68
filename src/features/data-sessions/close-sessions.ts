import type { Ctx } from '../../platform/context/context.ts';
import type { Restart, SessionReport } from './session-report.ts';
import { closeSessionsOn, listProfilesOn, listReportedAround, type SessionPlace } from './sql-restart.ts';

const PROFILES = 100;
const BATCH = 1_000;
const REPEATED = 500;

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

const BEFORE_ALL: SessionPlace = { ecpdId: '', sessionKey: '00000000-0000-0000-0000-000000000000' };

/**
 * Repeats the last report of each session that restarts may divide: a report from after a restart may have overtaken it.
 * With a repeated report the session is read anew. A few hundred at a time.
 */
export async function* repeatOvertakers({ db }: Ctx, restarts: readonly Restart[]) {
  for (const [nas, some] of Map.groupBy(restarts, (restart) => restart.nas)) {
    const dates = some.map(({ atMs }) => atMs);
    const around = [new Date(Math.min(...dates)), new Date(Math.max(...dates))] as const;
    for (let after: SessionPlace | undefined = BEFORE_ALL; after !== undefined; ) {
      const sessions = await listReportedAround(db, nas, around, after, REPEATED);
      yield sessions.flatMap(({ sessionId, imsi, msisdn, last, ...session }): SessionReport[] => {
        const [kind, atMs, input, output, chargingId] = last;
        const value = imsi ?? msisdn;
        if (value === null) return [];
        return [
          {
            kind,
            nas,
            sessionId,
            chargingId: chargingId ?? undefined,
            atMs,
            device: { kind: imsi === null ? 'msisdn' : 'imsi', value },
            input,
            output,
            directionsSwapped: session.directionsSwapped,
            apn: session.apn ?? undefined,
            rat: undefined,
            sgsn: undefined,
            ggsn: undefined,
            visited: session.visited ?? undefined,
            imeisv: undefined,
            address: undefined,
            cell: undefined,
            terminateCause: session.closeCause ?? undefined,
          },
        ];
      });
      after = sessions.length < REPEATED ? undefined : sessions.at(-1);
    }
  }
}
