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

/** PostgreSQL's error classes for invalid data, and for violated constraints. */
export const isAboutData = (error: unknown): error is Error & Record<string, unknown> =>
  error instanceof Error && 'code' in error && /^2[23][0-9A-Z]{3}$/.test(String(error.code));

/** Any quotation marks of the server's language, from the first to the last: a value may contain quotes itself. */
const QUOTED = /["'„“”«‹].*["'“”»›]/s;

/** A stack begins with the message, which may contain lines that look like a stack. */
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
 * The form in which an error is logged. An error about data quotes the data in its message and `detail`: only the words of its
 * message and the names of the affected objects are logged.
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
