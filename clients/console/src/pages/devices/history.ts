import type { DeviceDetail } from '../../api/devices.ts';
import { formatTime } from '../../text/format.ts';

export interface HistoryEvent {
  readonly at: string;
  readonly what: string;
  readonly why: string;
}

const CAUSES: Readonly<Record<string, string>> = {
  activation: 'activated',
  import: 'imported',
  change: 'changed',
};

/** What happened to a device, newest first. */
export function historyOf({
  plans,
  suspensions,
}: Pick<DeviceDetail, 'plans' | 'suspensions'>): readonly HistoryEvent[] {
  const events: HistoryEvent[] = [
    ...plans.map(({ planCode, since, cause, changedBy }) => ({
      at: since,
      what: `Plan ${planCode}`,
      why: cause === changedBy ? (CAUSES[cause] ?? cause) : `${CAUSES[cause] ?? cause} by ${changedBy}`,
    })),
    ...suspensions.map(({ suspendedAt, resumesAt, withBilling, reason }) => ({
      at: suspendedAt,
      what: withBilling ? 'Suspended with billing' : 'Suspended without billing',
      why: [reason, `until ${formatTime(resumesAt)}`].filter(Boolean).join(', '),
    })),
    ...suspensions.flatMap(({ resumedAt }) =>
      resumedAt === null ? [] : [{ at: resumedAt, what: 'Resumed', why: '' }],
    ),
  ];
  return events.toSorted((a, b) => b.at.localeCompare(a.at));
}
