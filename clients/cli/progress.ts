import { inBytes, plainText } from './plain-text.ts';
import type { Run } from './run.ts';

export interface Progress {
  /** What stands on the line from now on: as many of the parts as fit on it, the first ones first. */
  show(...parts: readonly string[]): void;
  /** Takes it away for what is printed now. */
  clear(): void;
  stop(): void;
}

const TTY_MS = 100;
const PLAIN_MS = 5_000;
const BAR_CELLS = 24;
/** Of a terminal that does not say how wide it is. */
const COLUMNS = 80;
const BETWEEN = '  ';

/** Whole parts, and only of the first one what there is room for. */
export function lineOf([first = '', ...others]: readonly string[], columns: number): string {
  let line = first.slice(0, columns);
  for (const part of others) {
    if (line.length + BETWEEN.length + part.length > columns) break;
    line += BETWEEN + part;
  }
  return line;
}

/** One line on a terminal that is written over; elsewhere a line every few seconds. Never on stdout. */
export function startProgress({ json, around: { stderr } }: Run): Progress {
  if (json) return { show: () => {}, clear: () => {}, stop: () => {} };
  const tty = stderr.isTTY;
  let parts: readonly string[] = [];
  let written = '';
  const write = () => {
    const line = lineOf(
      parts.map(plainText),
      tty ? (stderr.columns ?? COLUMNS) - 1 : Number.POSITIVE_INFINITY,
    );
    if (line === '' || (tty && line === written)) return;
    stderr.write(tty ? `\r\x1b[K${line}` : `${line}\n`);
    written = line;
  };
  const timer = setInterval(write, tty ? TTY_MS : PLAIN_MS);
  timer.unref();
  const clear = () => {
    if (tty && written !== '') stderr.write('\r\x1b[K');
    written = '';
  };
  return {
    show(...next) {
      parts = next;
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
