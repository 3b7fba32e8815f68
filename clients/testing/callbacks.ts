import type { Answer, Caller, Fetch, OperatorRoute } from '../sdk/index.ts';
import { type FindService, startCallbackServer } from './callback-server.ts';
import { type HeardCallback, HeardCallbacks } from './heard-callbacks.ts';
import { type Match, shorten } from './match.ts';
import { real } from './real-time.ts';

export interface SandboxCallbacks {
  /** An address of the sandbox's listener: register it as the `url` of a listener, with any path. */
  url(path?: string): Promise<string>;
  /** The received callbacks, oldest first. */
  all(match?: Match<HeardCallback>): Promise<HeardCallback[]>;
  /** The first match among received and future callbacks. */
  waitFor(match: Match<HeardCallback>, options?: { readonly withinMs?: number }): Promise<HeardCallback>;
  /** Forgets the received callbacks. */
  clear(): Promise<void>;
  /** Adds a `Webhook-Secret` for checking signatures; those from answers to `client()` are already known. */
  addSecret(secret: string): Promise<void>;
}

export interface OpenCallbacks {
  readonly face: SandboxCallbacks;
  /** Makes calls, and records the secrets in answers. */
  readonly fetch: Fetch;
  clear(): void;
  close(): Promise<void>;
}

const WAIT_MS = 5_000;
const SHOWN_MAX = 5;
const LOOK_MAX_MS = 5_000;
const REGISTRATION = /\/callbacks\/[^/]+$/;

type Delivery = Answer<'GET /operator/v1/callbacks'>[number];

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Failures of devices look the same for all services, so the delivery log identifies the service. */
async function askLog(operator: Caller<OperatorRoute>, payload: HeardCallback['payload'], id: string) {
  const requestId = text(payload['requestId']);
  if (requestId === undefined) return undefined;
  const query = { requestId, limit: 1_000 };
  const found = await operator.call('GET /operator/v1/callbacks', { query, timeoutMs: LOOK_MAX_MS });
  return found.find((delivery) => delivery.id === id)?.serviceName;
}

function describeDelivery({ serviceName, accountName, state, attempts }: Delivery): string {
  const { error, status } = attempts.at(-1) ?? { error: 'no listener is registered', status: null };
  return `\n  ${serviceName} of ${accountName}: ${state}${state === 'failed' || attempts.length > 0 ? `, ${shorten(error ?? `answered ${status}`)}` : ''}`;
}

/** Describes callbacks to other listeners and failed ones, the usual reasons for a missing callback. */
async function describeUndelivered(operator: Caller<OperatorRoute>): Promise<string> {
  const query = { limit: 100 };
  const all = await operator
    .call('GET /operator/v1/callbacks', { query, timeoutMs: LOOK_MAX_MS })
    .catch(() => []);
  const others = all.filter(({ state }) => state !== 'delivered').slice(0, SHOWN_MAX);
  return others.length === 0
    ? ''
    : `\nNot delivered by the service (the newest first):${others.map(describeDelivery).join('')}`;
}

const addressIn = (body: unknown): string | undefined => {
  try {
    return text((JSON.parse(String(body)) as { url?: unknown }).url);
  } catch {
    return undefined;
  }
};

/** Opens the listener. It asks for the operator client only to explain a callback, when the service runs. */
export async function openCallbacks(
  findOperator: () => Promise<Caller<OperatorRoute>>,
): Promise<OpenCallbacks> {
  const heard = new HeardCallbacks();
  const findService: FindService = async (payload, id) => askLog(await findOperator(), payload, id);
  const server = await startCallbackServer(heard, findService);
  // The first call of a process loads and compiles much code, which is done here while the service starts.
  await real.fetch(server.urlOf('/'), {}).catch(() => {});

  const noteSecret = (url: string, { body }: RequestInit, { headers }: Response): void => {
    const [secret, address] = [headers.get('webhook-secret'), addressIn(body)];
    if (secret === null || address === undefined || !REGISTRATION.test(new URL(url).pathname)) return;
    if (new URL(address).origin === new URL(server.urlOf('/')).origin) server.addSecret(secret, address);
  };

  return {
    clear: () => heard.clear(),
    close: server.close,
    async fetch(url, init) {
      const response = await real.fetch(url, init);
      noteSecret(url, init, response);
      return response;
    },
    face: {
      url: async (path = '/') => server.urlOf(path),
      all: async (match) => heard.all(match),
      async waitFor(match, { withinMs = WAIT_MS } = {}) {
        const found = await heard.find(match, withinMs);
        if (found !== undefined) return found;
        throw new Error(
          `${heard.describeInstead(match, withinMs)}${await describeUndelivered(await findOperator())}`,
        );
      },
      clear: async () => heard.clear(),
      addSecret: async (secret) => server.addSecret(secret),
    },
  };
}
