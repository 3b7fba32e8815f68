import { get, ofAccount, send } from './http.ts';
import type { ListenerHealth } from './overview.ts';

export interface Listeners {
  readonly listeners: readonly ListenerHealth[];
  readonly services: readonly {
    readonly serviceName: string;
    readonly events: readonly { readonly name: string; readonly summary: string }[];
  }[];
}

export interface LoggedDelivery {
  readonly id: string;
  readonly requestId: string;
  readonly serviceName: string;
  readonly state: string;
  readonly createdAt: string;
  readonly nextAttemptAt: string | null;
  readonly attempts: number;
  readonly lastOutcome: string | null;
}

export interface Delivery extends Omit<LoggedDelivery, 'attempts' | 'lastOutcome'> {
  readonly payload: unknown;
  readonly attempts: readonly {
    readonly at: string;
    readonly series: number;
    readonly attempt: number;
    readonly status: number | null;
    readonly latencyMs: number;
    readonly error: string | null;
    readonly body: string;
  }[];
}

export interface LogFilter {
  readonly state: string;
  readonly serviceName: string;
  readonly requestId: string;
}

export interface Registration {
  readonly url: string;
  readonly username?: string;
  readonly password?: string;
  readonly rotateSecret?: boolean;
}

const listenerPath = (accountName: string, serviceName: string): string =>
  ofAccount(accountName, `/callbacks/listeners/${encodeURIComponent(serviceName)}`);

export const readListeners = (accountName: string, signal?: AbortSignal) =>
  get<Listeners>(ofAccount(accountName, '/callbacks/listeners'), {}, signal);

export const registerListener = (accountName: string, serviceName: string, registration: Registration) =>
  send<{ secret: string }>('PUT', listenerPath(accountName, serviceName), registration);

export const removeListener = (accountName: string, serviceName: string) =>
  send('DELETE', listenerPath(accountName, serviceName));

export const pauseListener = (accountName: string, serviceName: string, paused: boolean) =>
  send('POST', `${listenerPath(accountName, serviceName)}/pause`, { paused });

export const listDeliveries = (accountName: string, filter: LogFilter, page?: string, signal?: AbortSignal) =>
  get<{ deliveries: readonly LoggedDelivery[]; next?: string }>(
    ofAccount(accountName, '/callbacks/deliveries'),
    { ...filter, page },
    signal,
  );

export const readDelivery = (accountName: string, id: string, signal?: AbortSignal) =>
  get<Delivery>(ofAccount(accountName, `/callbacks/deliveries/${id}`), {}, signal);

export const resend = (
  accountName: string,
  what: { readonly requestId?: string; readonly serviceName?: string },
) => send<{ resent: number }>('POST', ofAccount(accountName, '/callbacks/resend'), what);

export const sendTestEvent = (accountName: string, event: string) =>
  send<{ id: string; requestId: string }>('POST', ofAccount(accountName, '/callbacks/test'), { event });
