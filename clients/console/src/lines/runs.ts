import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { statusOf } from '../api/client.ts';
import { type Line, type LineAction, partSize, type Sent, sendLines } from '../api/lines.ts';

export interface Part {
  readonly lines: readonly Line[];
  /** The idempotency key of this part: sending it again does nothing twice. */
  readonly key: string;
  readonly state: 'waiting' | 'sending' | 'sent' | 'refused' | 'unanswered';
  readonly sent?: Sent;
  readonly error?: unknown;
}

/** An action on lines of an account. It continues after its dialog is closed. */
export interface Run {
  readonly id: string;
  readonly accountName: string;
  readonly action: LineAction;
  readonly count: number;
  readonly parts: readonly Part[];
}

const keyOf = (accountName: string) => ['runs', accountName];
const isOpen = ({ state }: Part): boolean => state === 'waiting' || state === 'sending';
export const isSending = ({ parts }: Run): boolean => parts.some(({ state }) => state === 'sending');

/** Warns that leaving the page would leave parts unsent. */
const warn = (event: BeforeUnloadEvent) => event.preventDefault();

/** Kept with the session's other data, so that it disappears when the session ends. */
const read = (queries: QueryClient, accountName: string, id: string): Run | undefined =>
  queries.getQueryData<readonly Run[]>(keyOf(accountName))?.find((run) => run.id === id);

function change(
  queries: QueryClient,
  accountName: string,
  id: string,
  to: (run: Run) => Run | undefined,
): void {
  queries.setQueryData<readonly Run[]>(keyOf(accountName), (runs) =>
    runs?.flatMap((run) => (run.id === id ? (to(run) ?? []) : run)),
  );
}

const setPart = (queries: QueryClient, { accountName, id }: Run, nth: number, part: Partial<Part>): void =>
  change(queries, accountName, id, (run) => ({
    ...run,
    parts: run.parts.map((old, n) => (n === nth ? { ...old, ...part } : old)),
  }));

/** Sends one part at a time. Without an answer the rest waits for the user's decision. */
async function work(queries: QueryClient, { accountName, id }: Run): Promise<void> {
  addEventListener('beforeunload', warn);
  try {
    for (let run = read(queries, accountName, id); run !== undefined; run = read(queries, accountName, id)) {
      const nth = run.parts.findIndex(({ state }) => state === 'waiting');
      const part = run.parts[nth];
      if (part === undefined) return;
      setPart(queries, run, nth, { state: 'sending' });
      try {
        const sent = await sendLines(accountName, run.action, part.lines, part.key);
        setPart(queries, run, nth, { state: 'sent', sent });
      } catch (error) {
        const isAnswered = statusOf(error) !== 0;
        setPart(queries, run, nth, { state: isAnswered ? 'refused' : 'unanswered', error });
        if (!isAnswered || statusOf(error) === 401) return;
      }
    }
  } finally {
    removeEventListener('beforeunload', warn);
    for (const topic of ['devices', 'requests'])
      void queries.invalidateQueries({ queryKey: [topic, accountName] });
  }
}

function toParts(lines: readonly Line[], size: number): Part[] {
  return Array.from({ length: Math.ceil(lines.length / size) }, (_, n) => ({
    lines: lines.slice(n * size, (n + 1) * size),
    key: crypto.randomUUID(),
    state: 'waiting',
  }));
}

/** Runs to keep; older ones are dropped when all their parts have ended. */
const RUNS_MAX = 20;

export function useRuns(accountName: string) {
  const queries = useQueryClient();
  const { data: runs = [] } = useQuery<readonly Run[]>({
    queryKey: keyOf(accountName),
    queryFn: () => queries.getQueryData<readonly Run[]>(keyOf(accountName)) ?? [],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const acts = useMemo(
    () => ({
      start(action: LineAction, lines: readonly Line[]): string {
        const parts = toParts(lines, partSize(action.kind));
        const run: Run = { id: crypto.randomUUID(), accountName, action, count: lines.length, parts };
        queries.setQueryData<readonly Run[]>(keyOf(accountName), (old = []) => [
          run,
          ...old.filter(({ parts: kept }, n) => n < RUNS_MAX - 1 || kept.some(isOpen)),
        ]);
        void work(queries, run);
        return run.id;
      },
      /** Resends unanswered parts with the same key, so that nothing is done twice. Refused parts get a new key. */
      sendAgain(run: Run): void {
        change(queries, accountName, run.id, (old) => ({
          ...old,
          parts: old.parts.map((part) =>
            part.state === 'unanswered' || part.state === 'refused'
              ? {
                  lines: part.lines,
                  key: part.state === 'refused' ? crypto.randomUUID() : part.key,
                  state: 'waiting',
                }
              : part,
          ),
        }));
        if (!isSending(run)) void work(queries, run);
      },
      forget: (run: Run): void => change(queries, accountName, run.id, () => undefined),
    }),
    [queries, accountName],
  );
  return { runs, ...acts };
}
