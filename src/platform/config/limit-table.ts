import { seconds, type Table, wholeNumber } from './setting-types.ts';

/** What callers and feeds may do. */
export const LIMITS = {
  loginsPerMinute: [
    'LINEKEEPER_LOGIN_RATE',
    wholeNumber(0, 100_000),
    'logins per minute for each user and address, at all processes together; 0 means no limit',
    '60',
  ],
  callsPerMinute: [
    'LINEKEEPER_API_RATE',
    wholeNumber(0, 10_000_000),
    'calls per minute and process for each client, and for each console user, who gets at least 1200; no limit in the sandbox, 6000 in production',
  ],
  lockAttempts: [
    'LINEKEEPER_LOCK_ATTEMPTS',
    wholeNumber(1, 100),
    'failed logins in a row that lock a user',
    '5',
  ],
  lockMinutes: ['LINEKEEPER_LOCK_MINUTES', wholeNumber(1, 10_080), 'minutes that a user stays locked', '15'],
  advanceWaitMs: [
    'LINEKEEPER_ADVANCE_WAIT_SECONDS',
    seconds(1, 3_600),
    'how long a call that moves the clock waits for the work to finish',
    '60',
  ],
  feedAheadMs: [
    'LINEKEEPER_FEED_AHEAD_SECONDS',
    seconds(0, 3_600),
    'how far ahead of the clock the times of fed usage, positions and readings may be; such records count from their arrival',
    '300',
  ],
  feedBytesMax: [
    'LINEKEEPER_FEED_BYTES_MAX',
    wholeNumber(1, 10 ** 14),
    'bytes of a feed or a file of usage, after unpacking. Beyond this, or the limits of lines and rejected records, it breaks off, and what was accepted before is kept',
    String(64 * 1024 ** 3),
  ],
  feedLinesMax: [
    'LINEKEEPER_FEED_LINES_MAX',
    wholeNumber(1, 10 ** 12),
    'lines of a feed or file',
    '100000000',
  ],
  feedRejectedMax: [
    'LINEKEEPER_FEED_REJECTED_MAX',
    wholeNumber(0, 10 ** 12),
    'rejected records of a feed or file',
    '1000000',
  ],
} as const satisfies Table;
