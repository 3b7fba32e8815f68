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

const OPERATIONS: Readonly<Record<string, string>> = {
  activate: 'Activation requested',
  deactivate: 'Deactivation requested',
  suspend: 'Suspension requested',
  restore: 'Restoration requested',
  'plan-change': 'Plan change requested',
  'license-assign': 'License requested',
  'license-unassign': 'License return requested',
  'suspension-status': 'Suspension status requested',
};

const OUTCOMES = { waiting: 'under way', done: 'done', failed: 'refused' } as const;

/** What happened to a device, newest first. */
export function historyOf({
  plans,
  suspensions,
  requests,
}: Pick<DeviceDetail, 'plans' | 'suspensions' | 'requests'>): readonly HistoryEvent[] {
  const events: HistoryEvent[] = [
    ...plans.map(({ planCode, since, cause, changedBy, overwritten }) => ({
      at: since,
      what: `Plan ${planCode}`,
      why: [
        cause === changedBy ? (CAUSES[cause] ?? cause) : `${CAUSES[cause] ?? cause} by ${changedBy}`,
        overwritten && 'overwritten by a later change',
      ]
        .filter(Boolean)
        .join(', '),
    })),
    ...suspensions.map(({ suspendedAt, resumesAt, withBilling, reason }) => ({
      at: suspendedAt,
      what: withBilling ? 'Suspended with billing' : 'Suspended without billing',
      why: [reason === 'request' ? 'on request' : reason, `until ${formatTime(resumesAt)}`]
        .filter(Boolean)
        .join(', '),
    })),
    ...requests.map(({ operation, state, reason, createdAt, createdBy }) => ({
      at: createdAt,
      what: OPERATIONS[operation] ?? operation,
      why: [`by ${createdBy}`, OUTCOMES[state], reason].filter(Boolean).join(', '),
    })),
    ...suspensions.flatMap(({ resumedAt }) =>
      resumedAt === null ? [] : [{ at: resumedAt, what: 'Resumed', why: '' }],
    ),
  ];
  return events.toSorted((a, b) => b.at.localeCompare(a.at));
}
