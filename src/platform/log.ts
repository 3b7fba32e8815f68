import pino, { type Logger } from 'pino';
import { redactLine } from './log-redaction.ts';

export type Log = Logger;

/** A database error's `detail` quotes the row's values; only its words, code and place are logged. */
const err = (error: Error & { code?: unknown; detail?: unknown; kind?: unknown }) => ({
  type: error.name,
  message: error.message,
  ...(typeof error.code === 'string' && { code: error.code }),
  stack: error.stack,
  ...(error.cause instanceof Error && { cause: error.cause.message }),
});

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

export const createLog = (level: string, destination?: pino.DestinationStream): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err },
      hooks: { streamWrite: redactLine },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
