import type { Answer, Body, Query } from '../../../sdk/index.ts';
import { call } from './client.ts';

const CALLBACKS = 'GET /m2m/v1/callbacks/{accountName}/health';
const REGISTER = 'PUT /m2m/v1/callbacks/{accountName}/name/{service}';
const DELIVERIES = 'GET /m2m/v1/callbacks/{accountName}/log';
const DELIVERY = 'GET /m2m/v1/callbacks/{accountName}/deliveries/{messageId}';
const RESEND = 'POST /m2m/v1/callbacks/{accountName}/failed/resend';
const TEST = 'POST /m2m/v1/callbacks/{accountName}/test';
const EVENT = 'GET /m2m/v1/callbacks/{accountName}/events/{event}';
const FAILED = 'GET /m2m/v1/callbacks/{accountName}/failed';
const FIGURES = 'GET /m2m/v1/callbacks/{accountName}/name/{service}/figures';
const ATTEMPT = 'GET /m2m/v1/callbacks/{accountName}/deliveries/{messageId}/attempts/{series}/{attempt}';

export type DeliveryHealth = Answer<typeof CALLBACKS>;
export type ListenerHealth = DeliveryHealth['listeners'][number];
export type ListenedService = DeliveryHealth['services'][number]['serviceName'];
export type Listener = ListenerHealth & { readonly serviceName: ListenedService };
export interface Listeners {
  readonly listeners: readonly Listener[];
  readonly services: DeliveryHealth['services'];
}
export type Registration = Body<typeof REGISTER>;
export type LoggedDelivery = Answer<typeof DELIVERIES>['deliveries'][number];
export type LogFilter = Pick<Query<typeof DELIVERIES>, 'state' | 'serviceName' | 'requestId'>;
export type Delivery = Answer<typeof DELIVERY>;
export type MadeAttempt = Delivery['attempts'][number];
export type AttemptRequest = Answer<typeof ATTEMPT>;
export type TestEvent = Body<typeof TEST>['event'];
export type TestPayload = NonNullable<Body<typeof TEST>['payload']>;
export type ListenerFigures = Answer<typeof FIGURES>;
export type FigureSpan = Query<typeof FIGURES>['span'];
/** The callbacks to re-send: these, or all failed ones in this scope. */
export type ResendScope = Pick<
  Body<typeof RESEND>,
  'messageIds' | 'requestId' | 'serviceName' | 'since' | 'until'
>;
export type FailedCount = Answer<typeof FAILED>;

export const readCallbacks = (accountName: string, signal?: AbortSignal) =>
  call(CALLBACKS, { path: { accountName }, signal });

export function listenersOf({ listeners, services }: DeliveryHealth): Listeners {
  const named = services.flatMap(({ serviceName }) =>
    listeners.filter((one) => one.serviceName === serviceName).map((one) => ({ ...one, serviceName })),
  );
  return { listeners: named, services };
}

export const registerListener = (accountName: string, service: ListenedService, registration: Registration) =>
  call(REGISTER, { path: { accountName, service }, body: registration });

export const removeListener = (accountName: string, serviceName: ListenedService) =>
  call('DELETE /m2m/v1/callbacks/{accountName}/name/{service}', {
    path: { accountName, service: serviceName },
  });

export const pauseListener = (accountName: string, serviceName: ListenedService, paused: boolean) =>
  call(paused ? 'POST /operator/v1/callbacks/pause' : 'POST /operator/v1/callbacks/resume', {
    body: { accountName, serviceName },
  });

export const listDeliveries = (accountName: string, filter: LogFilter, page?: string, signal?: AbortSignal) =>
  call(DELIVERIES, { path: { accountName }, query: { ...filter, page }, signal });

export const readDelivery = (accountName: string, messageId: string, signal?: AbortSignal) =>
  call(DELIVERY, { path: { accountName, messageId }, signal });

/** An attempt by its series and number. */
export const readAttempt = (
  accountName: string,
  messageId: string,
  { series, attempt }: Pick<MadeAttempt, 'series' | 'attempt'>,
  signal?: AbortSignal,
) => call(ATTEMPT, { path: { accountName, messageId, series, attempt }, signal });

export const countFailed = (
  accountName: string,
  { messageIds: _, ...query }: ResendScope,
  signal?: AbortSignal,
) => call(FAILED, { path: { accountName }, query, signal });

/** Re-sends one part. `after` is the end of the previous part; the key makes repeating the call safe. */
export const resendPart = (
  accountName: string,
  scope: ResendScope,
  { after, key }: { readonly after: string | undefined; readonly key: string },
) =>
  call(RESEND, {
    path: { accountName },
    body: { ...scope, ...(after !== undefined && { after }) },
    idempotencyKey: key,
  });

export const readFigures = (
  accountName: string,
  service: ListenedService,
  span: FigureSpan,
  signal?: AbortSignal,
) => call(FIGURES, { path: { accountName, service }, query: { span }, signal });

export const readEvent = (accountName: string, event: TestEvent, signal?: AbortSignal) =>
  call(EVENT, { path: { accountName, event }, signal });

export const sendTestEvent = (accountName: string, event: TestEvent, payload: TestPayload) =>
  call(TEST, { path: { accountName }, body: { event, payload } });
