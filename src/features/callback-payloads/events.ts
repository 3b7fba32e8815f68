import { alertEvents } from './alerts.ts';
import { carrierEvents } from './carrier.ts';
import { FailurePayload, failed } from './envelope.ts';
import { type CallbackEvent, REQUEST } from './event.ts';
import { locationEvents } from './locations.ts';
import { freeFormEvents, messageEvents } from './messages.ts';
import { noticeEvents } from './notices.ts';
import type { ListenerService } from './service-names.ts';
import { usageEvents } from './usage.ts';

/** Every kind of outgoing message, by name. */
export const EVENTS = {
  ...carrierEvents,
  ...alertEvents,
  ...locationEvents,
  ...usageEvents,
  ...noticeEvents,
  ...messageEvents,
  ...freeFormEvents,
} as const satisfies Record<string, CallbackEvent>;

export type EventName = keyof typeof EVENTS;

export const EVENT_NAMES = Object.keys(EVENTS) as readonly EventName[];

/** Any service with the common envelope can send this instead of a result. */
export const FAILURE = {
  summary: 'The request could not be carried out.',
  schema: FailurePayload,
  sample: failed(REQUEST, {
    faultcode: 'UnifiedWebService.REQUEST_FAILED.PlanChangeLimit',
    faultstring: 'The plan of an active device can be changed at most four times per month.',
  }),
} as const satisfies Omit<CallbackEvent, 'serviceName'>;

/** Services that answer requests, which can fail. Messages without a request cannot. */
export const ANSWERING_SERVICES: readonly ListenerService[] = [
  'CarrierService',
  'DevicePRLInformation',
  'DeviceProfileService',
  'DeviceService',
  'DeviceSuspensionStatus',
  'DeviceUsage',
  'DiagnosticsService',
  'EnhancedConnectivityService',
  'IntelligenceService',
  'NiddService',
  'SMSDeliveryConfirmation',
  'StateService',
];

const ofService = Map.groupBy(EVENT_NAMES, (name): ListenerService => EVENTS[name].serviceName);

export const eventsOf = (serviceName: ListenerService): readonly EventName[] =>
  ofService.get(serviceName) ?? [];
