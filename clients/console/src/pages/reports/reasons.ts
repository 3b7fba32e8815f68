import type { ReportEntry } from '../../api/reports.ts';

/** Plain words for the interface's error types. The first word of a type depends on the installation. */
const REASONS: Readonly<Record<string, string>> = {
  'CACHE UNAVAILABLE': 'No known position; request a current one',
  'CONSENT CHECK FAILED': 'Consent does not allow it, or it is excluded',
  'DEVICE TYPE CHECK FAILED': 'It is not an IoT device',
  'DEVICE DATA UNAVAILABLE': 'The location system does not know it',
  'DEVICE LOCATION DATA UNAVAILABLE': 'The network has no position for it',
  'ABSENT SUBSCRIBER': 'It could not be reached',
  'UNKNOWN SUBSCRIBER': 'It has no line',
  'POSITIONING NOT ALLOWED': 'Consent does not allow it',
};

/** The reason for a missing position; empty when there is one. */
export function reasonOf({ pd, error: { type, info } }: ReportEntry): string {
  if (type === undefined) return pd.x === undefined ? 'Still waiting' : '';
  const known = REASONS[type] ?? REASONS[type.replace(/^\S+ /, '')];
  return known ?? info ?? type;
}
