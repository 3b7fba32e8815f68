import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { onSilence, readSilence, type Silence } from '../api/reach.ts';
import { readSession } from '../api/session.ts';
import { Button } from '../parts/Button.tsx';
import { formatTime } from '../text/format.ts';
import { useNow } from './clock.tsx';
import { useSession } from './session.tsx';

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

/** By a timer of its own: where time stands still nothing else would look again. */
function useIsLong(silence: Silence | undefined): boolean {
  const [long, setLong] = useState<Silence | undefined>();
  useEffect(() => {
    if (silence === undefined) return;
    const timer = setTimeout(() => setLong(silence), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [silence]);
  return silence !== undefined && long === silence;
}

/** Says that what is shown grows old, and since when. */
export function Away() {
  const silence = useSyncExternalStore(onSilence, readSilence);
  useRecovery(silence !== undefined);
  const isLong = useIsLong(silence);
  const now = useNow();
  const { frozen } = useSession();
  const heardAt = silence === undefined || frozen ? now : now - (performance.now() - silence.heardAt);
  return (
    <div role="status">
      {isLong && (
        <div className="away row">
          <p>The service cannot be reached; shown as of {formatTime(new Date(heardAt).toISOString())}</p>
          <p className="small">The page goes on by itself when the service answers again.</p>
          <Button onClick={probe}>Try now</Button>
        </div>
      )}
    </div>
  );
}
