export { createDeliveryEngine, type DeliveryEngine } from './delivery/engine.ts';
export { listDeliveries } from './delivery/list-deliveries.ts';
export { readDeliveryHealth, WireDeliveryHealth } from './delivery/read-health.ts';
export { type FailingListener, listFailingListeners, WAITING_COUNTED_MAX } from './delivery/sql-failing.ts';
export type { RestingMessage, RestsOn, WithholdPayloads } from './delivery/withhold-payloads.ts';
export { checkBefore } from './listeners/check-before.ts';
export { listenersSection } from './listeners/fleet-listeners.ts';
export { pauseListener, resumeListener } from './listeners/pause-listener.ts';
export { registerListener } from './listeners/register-listener.ts';
export { listListeningAccounts } from './listeners/sql-listener.ts';
export {
  accountGroupShareAlert,
  type FiredTrigger,
  type PlanMoves,
  payAsYouGoAlert,
  sensorRuleAlert,
} from './payloads/alerts.ts';
export { describeCallbacks } from './payloads/asyncapi.ts';
export {
  activated,
  deactivated,
  licenseChanged,
  planChanged,
  restored,
  type SuspensionDays,
  suspended,
} from './payloads/carrier.ts';
export {
  consentFailure,
  consentReport,
  deviceLocated,
  deviceNotLocated,
} from './payloads/consent-reports.ts';
export { type Answered, type Fault, failed, succeeded } from './payloads/envelope.ts';
export { EVENT_NAMES, EVENTS, eventsOf } from './payloads/events.ts';
export { reportCompleted, usageTriggerFired } from './payloads/locations.ts';
export {
  type ProvisioningChange,
  provisioningChanged,
  resumeNotice,
  type SuspensionStatus,
  suspensionStatus,
  throttleNotice,
} from './payloads/notices.ts';
export type { DeviceRef } from './payloads/shapes.ts';
export { aggregateUsage, billingSummary } from './payloads/usage.ts';
export { type Callback, inSequence, postCallbacks } from './post-callback.ts';
export { resendCallbacks, resendRequest } from './resend-callbacks.ts';
export { WireDelivery } from './schemas.ts';
export { countSealedListeners, tellMissingKeys } from './sealing/reseal-listeners.ts';
export {
  ANSWER_KEPT_BYTES,
  ATTEMPT_TIMEOUT_LEAST_MS,
  ATTEMPT_TIMEOUT_MS,
  type CheckAddressText,
  type CheckListenerAddress,
  CONNECT_TIMEOUT_MS,
  LISTENER_URL_MAX,
  type OutgoingCallback,
  type SendCallback,
  type SendOutcome,
} from './send-callback.ts';
export { CALLBACK_SERVICES, LISTENER_SERVICES, type ListenerService } from './service-names.ts';
export { type Delivery, findDeliveryMark } from './sql-log.ts';
export { CALLBACK_CHANNEL, deleteMessagesAbout, deleteMessagesOfAccount } from './sql-message.ts';
