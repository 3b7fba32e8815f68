export { createDeliveryEngine, type DeliveryEngine } from './delivery/engine.ts';
export { type FailingListener, listFailingListeners } from './delivery/health.ts';
export { listenersSection } from './listeners/fleet-listeners.ts';
export { createSigner } from './listeners/listener-secrets.ts';
export { pauseListener, resumeListener } from './listeners/register-listener.ts';
export { countSealedListeners, reportMissingKeys } from './listeners/reseal-listeners.ts';
export { countListenersOf, listListeningAccounts } from './listeners/sql-listener.ts';
export { findDeliveryMark, listCausedCallbacks, listDeliveries } from './messages/delivery-log.ts';
export { type Callback, inSequence, postCallbacks } from './messages/post-callback.ts';
export { resendCallbacks, resendRequest } from './messages/resend-callbacks.ts';
export {
  CALLBACK_CHANNEL,
  deleteMessagesAbout,
  deleteMessagesOfAccount,
  deleteNextMessages,
} from './messages/sql-message.ts';
export { listCallbacksAbout, listOutcomes } from './messages/sql-outcome.ts';
export { WAITING_COUNTED_MAX, WireDelivery } from './schemas.ts';
export type { OutgoingCallback, RestingMessage, WithholdPayloads } from './send-callback.ts';
export {
  ANSWER_HEADERS_KEPT_BYTES,
  ANSWER_KEPT_BYTES,
  ATTEMPT_TIMEOUT_LEAST_MS,
  ATTEMPT_TIMEOUT_MS,
  type CheckAddressText,
  type CheckListenerAddress,
  CONNECT_TIMEOUT_MS,
  LISTENER_URL_MAX,
  type SendCallback,
  type SendOutcome,
} from './send-callback.ts';
