import { eventsUrl } from './client.ts';
import { noteAnswer, noteSilence } from './reach.ts';

export interface LiveEvents {
  /** Every change is told from now on; what was read before may be old. */
  readonly onReady: () => void;
  /** Something of this topic has changed. */
  readonly onChange: (topic: string) => void;
  /** A sign of life, with the time of the domain. */
  readonly onBeat: (now: string) => void;
  readonly onLost: () => void;
  /** The stream is refused, which is also how a session ends. */
  readonly onRefused: () => void;
}

const AGAIN_MS = 5_000;

/** Watches an account until it is told to stop. */
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
      // A browser comes back by itself after a lost connection, but not after a refusal.
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
