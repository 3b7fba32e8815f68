import type { NotificationEngine } from '../features/notifications/index.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';

export function watchNotifications(metrics: Metrics, { counts, backlog }: NotificationEngine): void {
  for (const [channel, words] of [
    ['mail', 'mail'],
    ['sms', 'SMS'],
  ] as const) {
    metrics.watchCounts({
      name: `linekeeper_${channel}_attempts_total`,
      help: `Recipients of ${words} by what became of an attempt, since this process started`,
      label: 'outcome',
      read: () => counts[channel],
    });
  }
  metrics.watchNumbers({
    name: 'linekeeper_notification_backlog',
    help: 'Recipients of mail and SMS that wait, and the age of the oldest in seconds, in all processes',
    label: 'what',
    read: backlog,
  });
}
