import { stripVTControlCharacters } from 'node:util';
import type { DestinationStream } from 'pino';

interface Line {
  readonly level: string;
  readonly time: string;
  readonly msg?: string;
  readonly err?: { readonly message: string; readonly stack?: string };
  readonly [field: string]: unknown;
}

interface Out {
  write(text: string): unknown;
  readonly columns?: number;
}

interface ReadableLog extends DestinationStream {
  /** While true, only lines that need attention are written. */
  quiet: boolean;
}

const COLOURS: Readonly<Record<string, number>> = { info: 36, warn: 33, error: 31, fatal: 31 };
const [GREY, COLUMNS] = [90, 120];
const LOUD = new Set(['warn', 'error', 'fatal']);

function describeRequest({ method, route, status, ms, msg }: Line): string {
  return [method, route, status ?? msg, ms === undefined ? '' : `${ms} ms`].filter(Boolean).join(' ');
}

function describeFields(fields: object): string {
  const words = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return words.length === 0 ? '' : `  ${words.join(' ')}`;
}

/** For a person at a terminal: a short text for each JSON line, and the stack of an error. */
export function readableLog(out: Out, coloured: boolean): ReadableLog {
  const paint = (colour: number, text: string) =>
    coloured && text !== '' ? `\x1b[${colour}m${text}\x1b[0m` : text;
  return {
    quiet: false,
    write(json) {
      const line = JSON.parse(json) as Line;
      const { level, time, msg = '', err, ...fields } = line;
      if (this.quiet && !LOUD.has(level)) return;
      const words = 'route' in line ? describeRequest(line) : `${msg}${err ? `: ${err.message}` : ''}`;
      const said = stripVTControlCharacters(words.replaceAll(/\s+/g, ' '));
      const more = 'route' in line ? '' : stripVTControlCharacters(describeFields(fields));
      const room = (out.columns || COLUMNS) - `00:00:00 ${level.padEnd(5)} ${said}`.length;
      const shown = more.length > Math.max(0, room) ? `${more.slice(0, Math.max(0, room - 1))}…` : more;
      const stack = level === 'error' && err?.stack ? framesOf(err.stack) : '';
      out.write(
        `${paint(GREY, time.slice(11, 19))} ${paint(COLOURS[level] ?? GREY, level.padEnd(5))} ${said}${paint(GREY, shown)}\n${paint(GREY, stack)}`,
      );
    },
  };
}

const framesOf = (stack: string) => {
  const frames = stack.split('\n').filter((frame) => /^\s+at /.test(frame));
  return frames.map((frame) => `${stripVTControlCharacters(frame)}\n`).join('');
};
