export { subscriptionsSection } from './fleet-subscriptions.ts';
export { METERED_SERVICES, type MeteredService } from './subscription.ts';
