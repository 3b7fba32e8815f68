export { notificationGroupsSection } from './fleet-notification-groups.ts';
