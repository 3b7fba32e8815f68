export {
  accountGroupShareAlert,
  type FiredTrigger,
  type PlanMoves,
  payAsYouGoAlert,
  sensorRuleAlert,
} from './alerts.ts';
export { describeCallbacks } from './asyncapi.ts';
export {
  activated,
  deactivated,
  licenseChanged,
  planChanged,
  restored,
  type SuspensionDays,
  suspended,
} from './carrier.ts';
export { type Answered, failed, payloadText, withAttempt } from './envelope.ts';
export { EVENT_NAMES, EVENTS, eventsOf } from './events.ts';
export {
  consentFailure,
  consentReport,
  deviceLocated,
  deviceNotLocated,
  reportCompleted,
  usageTriggerFired,
} from './locations.ts';
export {
  type ProvisioningChange,
  provisioningChanged,
  resumeNotice,
  suspensionStatus,
  throttleNotice,
} from './notices.ts';
export { LISTENER_SERVICES, type ListenerService } from './service-names.ts';
export type { DeviceRef } from './shapes.ts';
export { aggregateUsage, billingSummary } from './usage.ts';
