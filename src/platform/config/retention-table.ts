import { type Table, wholeNumber } from './setting-types.ts';

const days = wholeNumber(1, 3_650);

/** Retention times in days. */
export const RETENTION = {
  alerts: [
    'LINEKEEPER_RETENTION_ALERT_DAYS',
    days,
    'days that smart alerts are kept after they are cleared',
    '365',
  ],
  audit: [
    'LINEKEEPER_RETENTION_AUDIT_DAYS',
    wholeNumber(1, 36_500),
    'days that the audit log is kept',
    '365',
  ],
  delivered: [
    'LINEKEEPER_RETENTION_DELIVERED_DAYS',
    days,
    'days that delivered callbacks and their attempts are kept',
    '7',
  ],
  notifications: [
    'LINEKEEPER_RETENTION_NOTIFICATION_DAYS',
    wholeNumber(2, 3_650),
    'days that mail and SMS are kept, with their results',
    '30',
  ],
  history: [
    'LINEKEEPER_RETENTION_HISTORY_DAYS',
    days,
    'days that the position history of devices is kept, fix by fix',
    '30',
  ],
  positions: [
    'LINEKEEPER_RETENTION_POSITION_DAYS',
    days,
    'days that the last known position of a device is kept',
    '365',
  ],
  readings: [
    'LINEKEEPER_RETENTION_READING_DAYS',
    days,
    'days that the last values reported by a device are kept; the time of its last report is kept longer',
    '365',
  ],
  jobs: ['LINEKEEPER_RETENTION_JOB_DAYS', days, 'days that finished jobs stay visible', '7'],
  usage: [
    'LINEKEEPER_RETENTION_USAGE_DAYS',
    wholeNumber(62, 36_500),
    'days that usage records are kept, in production to the end of their month; older records are rejected, and totals stay',
    '400',
  ],
} as const satisfies Table;
