import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { watchAccount } from '../api/live.ts';
import { useSetClock } from './clock.tsx';
import { createReader } from './read-again.ts';

const LiveContext = createContext(false);

/** What else shows when a topic changes: a finished request has changed devices and what firings did, and the clock is part of the session. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  requests: ['devices', 'firings'],
  approvals: ['firings'],
  callbacks: ['alerts', 'requests'],
  usage: ['devices'],
  clock: ['session', 'audit'],
};
const shownOf = (topic: string): readonly string[] => [topic, ...(ALSO[topic] ?? [])];

/** Everything that a stream tells of. */
const WATCHED = new Set(
  ['usage', 'firings', 'approvals', 'callbacks', 'requests', 'positions'].flatMap(shownOf),
);

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
  const setClock = useSetClock();
  const [live, setLive] = useState(false);
  const seen = useSyncExternalStore(onVisibility, isVisible);
  useEffect(() => {
    if (accountName === undefined || !seen) return;
    const reader = createReader(queries);
    const unwatch = watchAccount(accountName, {
      onReady: () => reader.read(WATCHED),
      onChange: (topic) => reader.read(shownOf(topic)),
      onBeat: (now) => {
        setLive(true);
        if (setClock(now)) reader.read(shownOf('clock'));
      },
      onLost: () => setLive(false),
      onRefused: () => void queries.invalidateQueries({ queryKey: ['session'] }),
    });
    return () => {
      unwatch();
      reader.stop();
    };
  }, [accountName, queries, seen, setClock]);
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
      <span className="wide-text">{live ? 'Live' : 'Not live'}</span>
    </span>
  );
}
