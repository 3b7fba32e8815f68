export { createDeliveryEngine, type DeliveryEngine } from './delivery/engine.ts';
export { type FailingListener, listFailingListeners, WAITING_COUNTED_MAX } from './delivery/sql-failing.ts';
export { listenersSection } from './fleet-listeners.ts';
export { pauseListener, resumeListener } from './pause-listener.ts';
export { describeCallbacks } from './payloads/asyncapi.ts';
export { type Callback, postCallbacks } from './post-callback.ts';
export { resendCallbacks, resendRequest } from './resend-callbacks.ts';
export { WireDelivery } from './schemas.ts';
export {
  ANSWER_KEPT_BYTES,
  ATTEMPT_TIMEOUT_MS,
  type CheckListenerAddress,
  CONNECT_TIMEOUT_MS,
  type OutgoingCallback,
  type SendCallback,
  type SendOutcome,
} from './send-callback.ts';
export { CALLBACK_SERVICES, LISTENER_SERVICES, type ListenerService } from './service-names.ts';
export { type Delivery, listDeliveries } from './sql-log.ts';
export { CALLBACK_CHANNEL, deleteMessagesOfAccount } from './sql-message.ts';
