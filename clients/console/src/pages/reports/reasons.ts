import type { ReportEntry } from '../../api/reports.ts';

/** What a person can make of the types that the interface has; the first word of the type is the installation's own. */
const REASONS: Readonly<Record<string, string>> = {
  'CACHE UNAVAILABLE': 'No position is known; ask for a current one',
  'CONSENT CHECK FAILED': 'Consent does not allow it, or it is excluded',
  'DEVICE TYPE CHECK FAILED': 'It is no IoT device',
  'DEVICE DATA UNAVAILABLE': 'The location system does not know it',
  'DEVICE LOCATION DATA UNAVAILABLE': 'The network has no position of it',
  'ABSENT SUBSCRIBER': 'It could not be reached',
  'UNKNOWN SUBSCRIBER': 'It has no line',
  'POSITIONING NOT ALLOWED': 'Consent does not allow it',
};

/** Why there is no position, in words; empty where there is one. */
export function reasonOf({ pd, error: { type, info } }: ReportEntry): string {
  if (type === undefined) return pd.x === undefined ? 'Still waiting' : '';
  const known = REASONS[type] ?? REASONS[type.replace(/^\S+ /, '')];
  return known ?? info ?? type;
}
