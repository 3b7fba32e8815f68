import { eventsUrl } from './client.ts';
import { noteAnswer, noteSilence } from './reach.ts';

export interface LiveEvents {
  /** From now on the stream reports every change; data read earlier may be out of date. */
  readonly onReady: () => void;
  /** Something of this topic has changed. */
  readonly onChange: (topic: string) => void;
  /** A heartbeat with the domain time. */
  readonly onBeat: (now: string) => void;
  readonly onLost: () => void;
  /** The stream was refused, which also happens when a session ends. */
  readonly onRefused: () => void;
}

const AGAIN_MS = 5_000;

/** Watches an account until the returned function is called. */
export function watchAccount(accountName: string, on: LiveEvents): () => void {
  let source: EventSource | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  const connect = () => {
    const opened = new EventSource(eventsUrl(accountName));
    source = opened;
    opened.addEventListener('beat', (event: MessageEvent<string>) => {
      noteAnswer();
      const { now } = JSON.parse(event.data) as { now: string };
      on.onBeat(now);
    });
    opened.addEventListener('ready', on.onReady);
    opened.addEventListener('change', (event: MessageEvent<string>) => {
      const { topic } = JSON.parse(event.data) as { topic: string };
      on.onChange(topic);
    });
    opened.addEventListener('error', () => {
      on.onLost();
      // The browser reconnects automatically after a lost connection, but not after a refusal.
      if (opened.readyState !== EventSource.CLOSED) return noteSilence();
      on.onRefused();
      again = setTimeout(connect, AGAIN_MS);
    });
  };
  connect();
  return () => {
    clearTimeout(again);
    source?.close();
  };
}
