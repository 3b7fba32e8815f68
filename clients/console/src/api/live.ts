import { eventsUrl } from './client.ts';

export interface LiveEvents {
  /** Every change is told from now on; what was read before may be old. */
  readonly onReady: () => void;
  /** Something of this topic has changed. */
  readonly onChange: (topic: string) => void;
  /** True with a sign of life, false when the connection is lost. */
  readonly onLive: (live: boolean) => void;
}

const AGAIN_MS = 5_000;

/** Watches an account until it is told to stop. */
export function watchAccount(accountName: string, { onReady, onChange, onLive }: LiveEvents): () => void {
  let source: EventSource | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  const connect = () => {
    const opened = new EventSource(eventsUrl(accountName));
    source = opened;
    opened.addEventListener('beat', () => onLive(true));
    opened.addEventListener('ready', onReady);
    opened.addEventListener('change', (event: MessageEvent<string>) => {
      const { topic } = JSON.parse(event.data) as { topic: string };
      onChange(topic);
    });
    opened.addEventListener('error', () => {
      onLive(false);
      // A browser comes back by itself after a lost connection, but not after a refusal.
      if (opened.readyState === EventSource.CLOSED) again = setTimeout(connect, AGAIN_MS);
    });
  };
  connect();
  return () => {
    clearTimeout(again);
    source?.close();
  };
}
