import { inBytes, plainText } from './plain-text.ts';
import type { Run } from './run.ts';

export interface Progress {
  /** What stands on the line from now on. */
  show(text: string): void;
  /** Takes it away for what is printed now. */
  clear(): void;
  stop(): void;
}

const TTY_MS = 100;
const PLAIN_MS = 5_000;
const BAR_CELLS = 24;

/** One line on a terminal that is written over; elsewhere a line every few seconds. Never on stdout. */
export function startProgress({ json, around: { stderr } }: Run): Progress {
  if (json) return { show: () => {}, clear: () => {}, stop: () => {} };
  const tty = stderr.isTTY;
  let [text, written] = ['', ''];
  const write = () => {
    if (text === '' || (tty && text === written)) return;
    const line = plainText(text);
    stderr.write(tty ? `\r\x1b[K${line.slice(0, (stderr.columns ?? line.length) - 1)}` : `${line}\n`);
    written = text;
  };
  const timer = setInterval(write, tty ? TTY_MS : PLAIN_MS);
  timer.unref();
  const clear = () => {
    if (tty && written !== '') stderr.write('\r\x1b[K');
    written = '';
  };
  return {
    show(next) {
      text = next;
    },
    clear,
    stop() {
      clearInterval(timer);
      clear();
    },
  };
}

/** A bar of how much of the whole is done, from 0 to 1. */
export function describeShare(share: number): string {
  const done = Math.min(1, Math.max(0, share));
  const full = Math.round(done * BAR_CELLS);
  return `[${'#'.repeat(full)}${'-'.repeat(BAR_CELLS - full)}] ${Math.floor(done * 100)}%`;
}

/** Bytes so far, their rate, and a bar where the whole is known. */
export function describeTransfer(bytes: number, totalBytes: number | undefined, startedMs: number): string {
  const seconds = Math.max(0.1, (performance.now() - startedMs) / 1_000);
  const rate = `${inBytes(Math.round(bytes / seconds))}/s`;
  if (!totalBytes) return `${inBytes(bytes)}, ${rate}`;
  return `${describeShare(bytes / totalBytes)}  ${inBytes(bytes)} of ${inBytes(totalBytes)}, ${rate}`;
}
