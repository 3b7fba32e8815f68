import { inBytes, plainText } from './plain-text.ts';
import type { Run } from './run.ts';

export interface Progress {
  /** Shows these parts on the line, as many as fit, starting with the first. */
  show(...parts: readonly string[]): void;
  /** Clears the line for other output. */
  clear(): void;
  stop(): void;
}

const TTY_MS = 100;
const PLAIN_MS = 5_000;
const BAR_CELLS = 24;
/** Width of a terminal that does not report it. */
const COLUMNS = 80;
const BETWEEN = '  ';

/** As many complete parts as fit; only the first one may be cut. */
export function lineOf([first = '', ...others]: readonly string[], columns: number): string {
  let line = first.slice(0, columns);
  for (const part of others) {
    if (line.length + BETWEEN.length + part.length > columns) break;
    line += BETWEEN + part;
  }
  return line;
}

/** Overwrites one line on a terminal; elsewhere prints a line every few seconds. Never writes to stdout. */
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

/** A progress bar for a share from 0 to 1. */
export function describeShare(share: number): string {
  const done = Math.min(1, Math.max(0, share));
  const full = Math.round(done * BAR_CELLS);
  return `[${'#'.repeat(full)}${'-'.repeat(BAR_CELLS - full)}] ${Math.floor(done * 100)}%`;
}

/** Bytes so far, their rate, and a bar if the total is known. */
export function describeTransfer(bytes: number, totalBytes: number | undefined, startedMs: number): string {
  const seconds = Math.max(0.1, (performance.now() - startedMs) / 1_000);
  const rate = `${inBytes(Math.round(bytes / seconds))}/s`;
  if (!totalBytes) return `${inBytes(bytes)}, ${rate}`;
  return `${describeShare(bytes / totalBytes)}  ${inBytes(bytes)} of ${inBytes(totalBytes)}, ${rate}`;
}
