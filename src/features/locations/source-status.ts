import type { Ctx } from '../../platform/context/context.ts';
import { sql } from '../../platform/db/sql.ts';
import { CircuitOpen } from '../../platform/flow-control/circuit-breaker.ts';
import { SourceRefused } from './location.ts';

/** Every request may fail: the operator needs no more than this. */
const NOTED_MS = 1_000;
const REASON_MAX = 300;

/** A source of positions as defined in the network file. */
export interface KnownSource {
  readonly name: string;
  readonly kind: string;
}

/** The status of a source, for the operator. */
interface SourceStatus extends KnownSource {
  readonly state: 'up' | 'silent';
  readonly lastError: string | null;
  readonly lastErrorAt: Date | null;
}

/** Records how sources answer, for all processes: at most once a second for each source and way to answer. */
export function createSourceNotes({ db, now, log }: Pick<Ctx, 'db' | 'now' | 'log'>) {
  const notedAtMs = new Map<string, number>();
  const note = (key: string, write: () => Promise<unknown>): void => {
    if (performance.now() < (notedAtMs.get(key) ?? -Infinity) + NOTED_MS) return;
    notedAtMs.set(key, performance.now());
    write().catch((err) => log.warn({ err }, 'could not record how a position source answered'));
  };
  return {
    answered: (name: string) =>
      note(`${name} answered`, () =>
        db.exec(sql`
          update position_source set silent_since = null where source = ${name} and silent_since is not null`),
      ),
    /** A source that refuses answers. */
    failed(name: string, error: unknown): void {
      // It was not asked.
      if (error instanceof CircuitOpen) return;
      const isSilent = !(error instanceof SourceRefused);
      const text = error instanceof Error ? error.message : 'no reason was given';
      const reason = text.toWellFormed().replaceAll('\u0000', '').slice(0, REASON_MAX);
      note(`${name} ${isSilent ? 'silent' : 'refused'}`, () =>
        db.exec(sql`
          insert into position_source as s (source, silent_since, last_error, last_error_at)
          values (${name}, ${isSilent ? now() : null}, ${reason}, ${now()})
          on conflict (source) do update set last_error = excluded.last_error, last_error_at = excluded.last_error_at,
            silent_since = case when excluded.silent_since is null then null else coalesce(s.silent_since, excluded.silent_since) end`),
      );
    },
  };
}

interface SourceRow {
  readonly source: string;
  readonly silentSince: Date | null;
  readonly lastError: string;
  readonly lastErrorAt: Date;
}

export async function listSources(
  { db }: Pick<Ctx, 'db'>,
  known: readonly KnownSource[],
): Promise<readonly SourceStatus[]> {
  if (known.length === 0) return [];
  const rows = await db.many<SourceRow>(sql`
    select source, silent_since as "silentSince", last_error as "lastError", last_error_at as "lastErrorAt"
    from position_source`);
  const rowOf = new Map(rows.map((row) => [row.source, row]));
  return known.map(({ name, kind }) => {
    const row = rowOf.get(name);
    const state = row?.silentSince == null ? 'up' : 'silent';
    return { name, kind, state, lastError: row?.lastError ?? null, lastErrorAt: row?.lastErrorAt ?? null };
  });
}
