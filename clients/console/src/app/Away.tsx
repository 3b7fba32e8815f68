import { useSyncExternalStore } from 'react';
import { onSilence, readSilence } from '../api/reach.ts';
import { formatTime } from '../text/format.ts';
import { useNow } from './clock.tsx';

/** Shorter ones pass by themselves, at a restart for example. */
const PATIENCE_MS = 10_000;

/** Says that what is shown grows old, and since when. */
export function Away() {
  const silence = useSyncExternalStore(onSilence, readSilence);
  const now = useNow();
  const passed = silence === undefined ? 0 : performance.now() - silence.since;
  return (
    <div role="status">
      {silence !== undefined && passed > PATIENCE_MS && (
        <p className="away">
          The service cannot be reached; shown as of{' '}
          {formatTime(new Date(now - (performance.now() - silence.heardAt)).toISOString())}
        </p>
      )}
    </div>
  );
}
