import type { Answer, Body, Input, Query } from '../../../sdk/index.ts';
import { call } from './client.ts';

const CALLBACKS = 'GET /console/v1/accounts/{accountName}/callbacks';
const REGISTER = 'PUT /console/v1/accounts/{accountName}/callbacks/listeners/{serviceName}';
const DELIVERIES = 'GET /console/v1/accounts/{accountName}/callbacks/deliveries';
const DELIVERY = 'GET /console/v1/accounts/{accountName}/callbacks/deliveries/{messageId}';
const RESEND = 'POST /console/v1/accounts/{accountName}/callbacks/resend';
const TEST = 'POST /console/v1/accounts/{accountName}/callbacks/test';

export type DeliveryHealth = Answer<typeof CALLBACKS>;
export type ListenerHealth = DeliveryHealth['listeners'][number];
export type ListenedService = Input<typeof REGISTER>['path']['serviceName'];
export type Listener = ListenerHealth & { readonly serviceName: ListenedService };
export interface Listeners {
  readonly listeners: readonly Listener[];
  readonly services: DeliveryHealth['services'];
}
export type Registration = Body<typeof REGISTER>;
export type LoggedDelivery = Answer<typeof DELIVERIES>['deliveries'][number];
export type LogFilter = Pick<Query<typeof DELIVERIES>, 'state' | 'serviceName' | 'requestId'>;
export type Delivery = Answer<typeof DELIVERY>;
export type TestEvent = Body<typeof TEST>['event'];

export const readCallbacks = (accountName: string, signal?: AbortSignal) =>
  call(CALLBACKS, { path: { accountName }, signal });

export function listenersOf({ listeners, services }: DeliveryHealth): Listeners {
  const named = services.flatMap(({ serviceName }) =>
    listeners.filter((one) => one.serviceName === serviceName).map((one) => ({ ...one, serviceName })),
  );
  return { listeners: named, services };
}

export const registerListener = (
  accountName: string,
  serviceName: ListenedService,
  registration: Registration,
) => call(REGISTER, { path: { accountName, serviceName }, body: registration });

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

export const resend = (accountName: string, what: Body<typeof RESEND>) =>
  call(RESEND, { path: { accountName }, body: what });

export const sendTestEvent = (accountName: string, event: TestEvent) =>
  call(TEST, { path: { accountName }, body: { event } });
