import pino, { type Logger } from 'pino';
import { redactLine } from './log-redaction.ts';

export type Log = Logger;

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

export const createLog = (level: string, destination?: pino.DestinationStream): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: loggedError },
      hooks: { streamWrite: redactLine },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );

/** PostgreSQL's classes for data that cannot be what they are, and for constraints that they violate. */
export const isAboutData = (error: unknown): error is Error & Record<string, unknown> =>
  error instanceof Error && 'code' in error && /^2[23][0-9A-Z]{3}$/.test(String(error.code));

/** Whatever marks the server's language quotes with, from the first to the last: a value may have quotes of its own. */
const QUOTED = /["'„“”«‹].*["'“”»›]/s;

/** A stack begins with the message, which may have lines that look like a stack's. */
function framesOf({ message, stack = '' }: Error): string {
  const start = stack.indexOf(message);
  return stack
    .slice(start < 0 ? 0 : start + message.length)
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}

const wordsOf = (error: Error): string =>
  isAboutData(error) ? error.message.replace(QUOTED, '"…"') : error.message;

/**
 * What the log says of an error. One that is about data quotes them, in its message and its `detail`: of it only the words
 * are logged, and the names of what it met.
 */
export function loggedError(error: Error & { readonly code?: unknown }) {
  const said = {
    type: error.name,
    message: wordsOf(error),
    ...(typeof error.code === 'string' && { code: error.code }),
    ...(error.cause instanceof Error && { cause: wordsOf(error.cause) }),
  };
  if (!isAboutData(error)) return { ...said, stack: error.stack };
  const { table, column, constraint, routine } = error;
  return { ...said, table, column, constraint, routine, stack: framesOf(error) };
}
