export { createNotificationEngine, type NotificationEngine } from './delivery/engine.ts';
export { findNotificationGroups, listGroupNames, type NotificationGroup } from './find-groups.ts';
export { notificationGroupsSection } from './fleet-notification-groups.ts';
export { type Channel, type Notification, RECIPIENTS_MAX } from './notification.ts';
export { postNotifications } from './post-notifications.ts';
export { WireNotification } from './schemas.ts';
export {
  captureWay,
  noWay,
  type OutgoingNotification,
  type RecipientOutcome,
  type SendNotification,
  type Way,
} from './send-notification.ts';
export {
  deleteNotificationsOfAccount,
  listNotifications,
  NOTIFICATION_CHANNEL,
} from './sql-notification.ts';
