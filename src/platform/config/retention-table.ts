import type { Table } from './setting-table.ts';
import { wholeNumber } from './setting-types.ts';

const days = wholeNumber(1, 3_650);

/** For how many days things are kept. */
export const RETENTION = {
  alerts: [
    'LINEKEEPER_RETENTION_ALERT_DAYS',
    days,
    'days for which smart alerts are kept after they were cleared',
    '365',
  ],
  audit: [
    'LINEKEEPER_RETENTION_AUDIT_DAYS',
    wholeNumber(1, 36_500),
    'days for which the audit log is kept',
    '365',
  ],
  delivered: [
    'LINEKEEPER_RETENTION_DELIVERED_DAYS',
    days,
    'days for which delivered callbacks and their attempts are kept',
    '7',
  ],
  notifications: [
    'LINEKEEPER_RETENTION_NOTIFICATION_DAYS',
    wholeNumber(2, 3_650),
    'days for which mail and SMS are kept, with what became of them',
    '30',
  ],
  history: [
    'LINEKEEPER_RETENTION_HISTORY_DAYS',
    days,
    'days for which it is kept where devices were, fix by fix',
    '30',
  ],
  positions: [
    'LINEKEEPER_RETENTION_POSITION_DAYS',
    days,
    'days for which the last known position of a device is kept',
    '365',
  ],
  readings: [
    'LINEKEEPER_RETENTION_READING_DAYS',
    days,
    'days for which the last values that a device reported are kept; when it last reported stays known',
    '365',
  ],
  jobs: ['LINEKEEPER_RETENTION_JOB_DAYS', days, 'days for which finished jobs stay visible', '7'],
  usage: [
    'LINEKEEPER_RETENTION_USAGE_DAYS',
    wholeNumber(62, 36_500),
    'days for which usage records are kept, in production to the end of their month; older ones are not taken, their sums stay',
    '400',
  ],
} as const satisfies Table;
