import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { onSilence, readSilence, type Silence } from '../api/reach.ts';
import { readSession } from '../api/session.ts';
import { Button } from '../parts/Button.tsx';
import { formatTime } from '../text/format.ts';
import { useNow } from './clock.tsx';
import { useSession } from './session.tsx';

/** Shorter silences, for example during a restart, are not reported. */
const PATIENCE_MS = 10_000;
const PROBE_MS = 3_000;

/** Any answer ends the silence; the API client records it. */
const probe = (): void => void readSession().catch(() => {});

/** Probes while the service is silent, and refetches everything when it answers again. */
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

/** Has its own timer, because nothing else rerenders while the clock is frozen. */
function useIsLong(silence: Silence | undefined): boolean {
  const [long, setLong] = useState<Silence | undefined>();
  useEffect(() => {
    if (silence === undefined) return;
    const timer = setTimeout(() => setLong(silence), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [silence]);
  return silence !== undefined && long === silence;
}

/** Warns that the page is out of date, and since when. */
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
          <p>
            The service cannot be reached. You see the data as of{' '}
            {formatTime(new Date(heardAt).toISOString())}
          </p>
          <p className="small">The page continues when the service answers again.</p>
          <Button onClick={probe}>Try now</Button>
        </div>
      )}
    </div>
  );
}
