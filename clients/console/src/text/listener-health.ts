import type { ListenerHealth } from '../api/callbacks.ts';

export type Health = 'no address' | 'paused' | 'unused' | 'failing' | 'healthy';

/** One word for how a listener is, wherever listeners are counted or shown. */
export function healthOf({
  url,
  paused,
  hasMessages,
  failingSince,
}: Pick<ListenerHealth, 'url' | 'paused' | 'hasMessages' | 'failingSince'>): Health {
  if (url === null) return 'no address';
  if (paused) return 'paused';
  if (!hasMessages) return 'unused';
  return failingSince === null ? 'healthy' : 'failing';
}
