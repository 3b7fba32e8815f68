import pino, { type Logger } from 'pino';
import { redactLine } from './log-redaction.ts';
import { loggedError } from './logged-error.ts';

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
