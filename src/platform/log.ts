import pino, { type Logger } from 'pino';

export type Log = Logger;

/** Keys whose values never reach a log, whatever object they sit in. */
const SECRET_KEY =
  /"((?:[\w-]*(?:password|secret|token|authorization|cookie|signature|credential)[\w-]*)|mdn|msisdn|min|phones?|smsPhoneNumbers|lat|lon|latitude|longitude|x|y|position|emailAddresses|emails?)":("(?:[^"\\]|\\.)*"|-?[\d.]+|\{[^{}]*\}|\[[^[\]]*\])/gi;
const BEARER = /\b(Bearer|Basic)\s+[\w.~+/=-]+/gi;
const WEBHOOK_SECRET = /\bwhsec_[\w+/=-]+/g;
const OPERATOR_KEY = /\blk_op_[\w-]+/g;
/** Ten or more digits that are no account name, date or part of an identifier: a phone number, an IMEI, a SIM. */
const PHONE = /(?<![\w.:-])\+?\d{10,32}(?![\w:-])/g;
const COORDINATES = /-?\b\d{1,3}\.\d{3,}\s*[,;/ ]\s*-?\d{1,3}\.\d{3,}\b/g;

const HIDDEN = '[redacted]';

/** The last gate before a line is written: it does not depend on every caller remembering what is secret. */
export const redact = (line: string): string =>
  line
    .replace(SECRET_KEY, (_, key: string) => `"${key}":"${HIDDEN}"`)
    .replace(BEARER, `$1 ${HIDDEN}`)
    .replace(WEBHOOK_SECRET, HIDDEN)
    .replace(OPERATOR_KEY, HIDDEN)
    .replace(COORDINATES, HIDDEN)
    .replace(PHONE, HIDDEN);

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
      hooks: { streamWrite: redact },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
