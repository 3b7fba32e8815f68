import { type Reader, wholeNumber } from './readers.ts';

/** The settings that say for how long things are kept. */
export const RETENTION = {
  LINEKEEPER_RETENTION_ALERT_DAYS: [
    wholeNumber(1, 3_650),
    '365',
    'days for which smart alerts are kept after they were cleared',
  ],
  LINEKEEPER_RETENTION_AUDIT_DAYS: [wholeNumber(1, 36_500), '365', 'days for which the audit log is kept'],
  LINEKEEPER_RETENTION_DELIVERED_DAYS: [
    wholeNumber(1, 3_650),
    '7',
    'days for which delivered callbacks and their attempts are kept',
  ],
  LINEKEEPER_RETENTION_NOTIFICATION_DAYS: [
    wholeNumber(2, 3_650),
    '30',
    'days for which mail and SMS are kept, with what became of them',
  ],
  LINEKEEPER_RETENTION_POSITION_DAYS: [
    wholeNumber(1, 3_650),
    '365',
    'days for which the last known position of a device is kept',
  ],
  LINEKEEPER_RETENTION_READING_DAYS: [
    wholeNumber(1, 3_650),
    '365',
    'days for which the last values that a device told are kept; when it last told something stays known',
  ],
  LINEKEEPER_RETENTION_JOB_DAYS: [wholeNumber(1, 3_650), '7', 'days for which finished jobs stay visible'],
  LINEKEEPER_RETENTION_USAGE_DAYS: [
    wholeNumber(62, 36_500),
    '400',
    'days for which usage records are kept; older ones are not taken, their sums stay',
  ],
} as const satisfies Record<string, readonly [Reader<unknown>, string, string]>;
