import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { watchAccount } from '../api/live.ts';
import { useSetClock } from './clock.tsx';
import { createReader } from './read-again.ts';

const LiveContext = createContext(false);

/**
 * Other topics that change with a topic: a finished request changes devices and firings, and the clock is
 * part of the session.
 */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  requests: ['devices', 'firings'],
  approvals: ['firings'],
  callbacks: ['alerts', 'requests'],
  usage: ['devices'],
  clock: ['session', 'audit'],
};
const shownOf = (topic: string): readonly string[] => [topic, ...(ALSO[topic] ?? [])];

/** Every topic that a stream reports. */
const WATCHED = new Set(
  ['usage', 'firings', 'approvals', 'callbacks', 'requests', 'positions'].flatMap(shownOf),
);

/** A browser opens at most six connections to a service across all tabs, so hidden tabs close theirs. */
const isVisible = (): boolean => document.visibilityState === 'visible';
function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/** Refetches the visible data of a topic when the service reports a change. */
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
      title={live ? 'Changes appear automatically' : 'Reload to see changes'}
    >
      <span className="wide-text">{live ? 'Live' : 'Not live'}</span>
    </span>
  );
}
