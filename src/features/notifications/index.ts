export { createNotificationEngine, type NotificationEngine } from './delivery/engine.ts';
export { notificationGroupsSection } from './fleet-notification-groups.ts';
export { htmlOf } from './html-mail.ts';
export type { Channel, Notification } from './notification.ts';
export { postNotifications } from './post-notifications.ts';
export { NotificationState, WireMail, WireNotification } from './schemas.ts';
export {
  captureSender,
  missingSender,
  type OutgoingNotification,
  type RecipientOutcome,
  type Sender,
} from './send-notification.ts';
export {
  countNotificationGroups,
  deleteNotificationsOfAccount,
  findNotificationGroups,
  listCausedNotifications,
  listGroupNames,
  listNotifications,
  NOTIFICATION_CHANNEL,
  type NotificationGroup,
} from './sql-notification.ts';
