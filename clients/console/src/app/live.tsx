import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { watchAccount } from '../api/live.ts';

const LiveContext = createContext(false);

/** What else shows when a topic changes: a finished request has changed devices and what firings did, and the clock is part of the session. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  requests: ['devices', 'firings'],
  callbacks: ['alerts'],
  usage: ['devices'],
  clock: ['session', 'audit'],
};

/** Everything that a stream tells of. */
const WATCHED: ReadonlySet<unknown> = new Set(
  ['usage', 'firings', 'callbacks', 'requests', 'positions'].flatMap((topic) => [
    topic,
    ...(ALSO[topic] ?? []),
  ]),
);

/** What is being read may have been read before the change: it is waited for, and asked for once more. */
async function readAgain(queries: QueryClient, topics: ReadonlySet<unknown>): Promise<void> {
  const predicate = ({ queryKey }: { readonly queryKey: readonly unknown[] }) => topics.has(queryKey[0]);
  const reading = queries.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' });
  await Promise.allSettled(reading.map(({ promise }) => promise));
  await queries.invalidateQueries({ predicate });
}

/** A browser has six connections to a service, however many tabs: those that nobody looks at give theirs back. */
const isVisible = (): boolean => document.visibilityState === 'visible';
function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/** Reads again what is shown of a topic when the service says that it has changed. */
export function LiveProvider({
  accountName,
  children,
}: {
  readonly accountName: string | undefined;
  readonly children: ReactNode;
}) {
  const queries = useQueryClient();
  const [live, setLive] = useState(false);
  const seen = useSyncExternalStore(onVisibility, isVisible);
  useEffect(() => {
    if (accountName === undefined || !seen) return;
    return watchAccount(accountName, {
      onLive: setLive,
      onReady: () => void readAgain(queries, WATCHED),
      onChange: (topic) => void readAgain(queries, new Set([topic, ...(ALSO[topic] ?? [])])),
    });
  }, [accountName, queries, seen]);
  return <LiveContext value={live}>{children}</LiveContext>;
}

export function LiveDot() {
  const live = useContext(LiveContext);
  return (
    <span
      className="live-dot"
      data-live={live}
      role="status"
      title={live ? 'Changes show by themselves' : 'Changes show after a reload'}
    >
      <span className="wide-only">{live ? 'Live' : 'Not live'}</span>
    </span>
  );
}
