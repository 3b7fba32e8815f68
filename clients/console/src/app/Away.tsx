import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { onSilence, readSilence } from '../api/reach.ts';
import { readSession } from '../api/session.ts';
import { Button } from '../parts/Button.tsx';
import { formatTime } from '../text/format.ts';
import { useNow } from './clock.tsx';

/** Shorter ones pass by themselves, at a restart for example. */
const PATIENCE_MS = 10_000;
const PROBE_MS = 3_000;

/** Whoever answers ends the silence: the call itself notes it. */
const probe = (): void => void readSession().catch(() => {});

/** Asks again and again while nothing is answered, and has everything read again when something is. */
function useRecovery(isSilent: boolean): void {
  const queries = useQueryClient();
  const wasSilent = useRef(false);
  useEffect(() => {
    if (isSilent) {
      wasSilent.current = true;
      const timer = setInterval(probe, PROBE_MS);
      return () => clearInterval(timer);
    }
    if (wasSilent.current) void queries.invalidateQueries();
    wasSilent.current = false;
    return undefined;
  }, [isSilent, queries]);
}

/** Says that what is shown grows old, and since when. */
export function Away() {
  const silence = useSyncExternalStore(onSilence, readSilence);
  useRecovery(silence !== undefined);
  const now = useNow();
  const passed = silence === undefined ? 0 : performance.now() - silence.since;
  return (
    <div role="status">
      {silence !== undefined && passed > PATIENCE_MS && (
        <div className="away row">
          <p>
            The service cannot be reached; shown as of{' '}
            {formatTime(new Date(now - (performance.now() - silence.heardAt)).toISOString())}
          </p>
          <p className="small">The page goes on by itself when the service answers again.</p>
          <Button onClick={probe}>Try now</Button>
        </div>
      )}
    </div>
  );
}
