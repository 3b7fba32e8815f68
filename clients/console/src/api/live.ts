import { ofAccount, urlOf } from './http.ts';

export interface LiveEvents {
  /** Something of this topic has changed. */
  readonly onChange: (topic: string) => void;
  /** True with the first sign of life, false when the connection is lost; the browser connects again by itself. */
  readonly onLive: (live: boolean) => void;
}

/** Watches an account until it is told to stop. */
export function watchAccount(accountName: string, { onChange, onLive }: LiveEvents): () => void {
  const source = new EventSource(urlOf(ofAccount(accountName, '/events')));
  source.addEventListener('beat', () => onLive(true));
  source.addEventListener('change', (event: MessageEvent<string>) => {
    const { topic } = JSON.parse(event.data) as { topic: string };
    onChange(topic);
  });
  source.addEventListener('error', () => onLive(false));
  return () => source.close();
}
