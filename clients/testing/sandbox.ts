/// <reference lib="esnext.disposable" preserve="true" />
import { randomUUID } from 'node:crypto';
import {
  type Answer,
  type Body,
  type Caller,
  type Client,
  type Credentials,
  createClient,
  createOperatorClient,
  createSend,
  list,
  type OperatorRoute,
  readJson,
} from '../sdk/index.ts';
import { type OpenCallbacks, openCallbacks, type SandboxCallbacks } from './callbacks.ts';
import { createClock, type SandboxClock } from './clock.ts';
import { chooseCredentials, type StartedWith } from './credentials.ts';
import { type Match, matches } from './match.ts';
import { real } from './real-time.ts';
import type { ServiceProcess } from './service-process.ts';

export type SentMail = Answer<'GET /operator/v1/mail'>[number];
export type LoggedRequest = Answer<'GET /operator/v1/requests'>[number];
export type FaultRule = Body<'PUT /operator/v1/faults'>[number];
export type SentSms = Answer<'GET /operator/v1/sms'>[number];

/** A running sandbox. Everything returns a promise except `url`, `operatorKey` and the parts that only group calls. */
export interface Sandbox extends AsyncDisposable {
  /** URL of the service with its base path. */
  readonly url: string;
  readonly operatorKey: string;
  /**
   * A client with the credentials of an application and a user. Without arguments, it uses the fleet's first
   * ones and returns the same client each time.
   */
  client(credentials?: Partial<Credentials>): Promise<Client>;
  /** A client of the operator API. */
  readonly operator: Caller<OperatorRoute>;
  readonly clock: SandboxClock;
  readonly callbacks: SandboxCallbacks;
  /** Captured mail, oldest first; a sandbox sends none. */
  mail(match?: Match<SentMail>): Promise<SentMail[]>;
  /** Captured SMS, oldest first. */
  sms(match?: Match<SentSms>): Promise<SentSms[]>;
  /** Logged API calls, oldest first, with the reason of a refusal and their effects. */
  requests(match?: Match<LoggedRequest>): Promise<LoggedRequest[]>;
  readonly faults: {
    /** Injects failures by these rules, which replace all earlier ones. */
    set(rules: readonly FaultRule[]): Promise<void>;
    clear(): Promise<void>;
  };
  /** Saves the complete current state, including the time. */
  snapshot(name?: string): Promise<{ readonly name: string }>;
  /** Restores a snapshot and forgets received callbacks. */
  restore(name: string): Promise<void>;
  /** Resets to the first fleet and real time, and forgets received callbacks. */
  reset(): Promise<void>;
  /** Stops the sandbox and deletes its data; further calls do nothing. */
  stop(): Promise<void>;
}

export interface Starting extends StartedWith {
  readonly service: Promise<ServiceProcess>;
  /** Set if `LINEKEEPER_PREFIX` is not SVC. */
  readonly sessionHeader: string | undefined;
}

/** Limit for lists; tests with more entries should filter. */
const LOOKED_AT_MAX = 10_000;
const WHOLE_DATABASE_MS = 120_000;

async function collect<T>(newestFirst: AsyncIterable<T>, match: Match<T> | undefined): Promise<T[]> {
  const found: T[] = [];
  let seen = 0;
  for await (const one of newestFirst) {
    if (matches(match, one)) found.push(one);
    if (++seen >= LOOKED_AT_MAX) break;
  }
  return found.reverse();
}

const operatorOf = ({ url, operatorKey }: ServiceProcess): Caller<OperatorRoute> =>
  createOperatorClient({ baseUrl: url, operatorKey, fetch: real.fetch });

/** Opens the listener while the service starts. If one of them fails, neither is left behind. */
async function openParts(starting: Promise<ServiceProcess>): Promise<[ServiceProcess, OpenCallbacks]> {
  const opening = openCallbacks(async () => operatorOf(await starting));
  try {
    return await Promise.all([starting, opening]);
  } catch (error) {
    await Promise.allSettled([starting.then(({ stop }) => stop()), opening.then(({ close }) => close())]);
    throw error;
  }
}

export async function createSandbox({
  service: starting,
  sessionHeader,
  ...startedWith
}: Starting): Promise<Sandbox> {
  const [service, callbacks] = await openParts(starting);
  const { url, operatorKey } = service;
  const connection = { baseUrl: url, fetch: real.fetch };
  const operator = operatorOf(service);
  const send = createSend({ ...connection, timeoutMs: WHOLE_DATABASE_MS });
  const change = (route: string, body?: object) =>
    send(route, { body }, { authorization: `Bearer ${operatorKey}` }, readJson);

  const open = (credentials: Partial<Credentials> | undefined): Client =>
    createClient({
      ...connection,
      ...chooseCredentials(startedWith, credentials),
      fetch: callbacks.fetch,
      sessionHeader,
    });
  let usual: Client | undefined;
  let stopping: Promise<void> | undefined;
  const query = { limit: 1_000 };

  async function end(): Promise<void> {
    await service.stop();
    await callbacks.close();
  }
  const stop = (): Promise<void> => {
    stopping ??= end();
    return stopping;
  };

  return {
    url,
    operatorKey,
    operator,
    clock: createClock(operator),
    callbacks: callbacks.face,
    async client(credentials) {
      if (credentials !== undefined) return open(credentials);
      usual ??= open(undefined);
      return usual;
    },
    mail: (match) => collect(list(operator, 'GET /operator/v1/mail', { query }), match),
    sms: (match) => collect(list(operator, 'GET /operator/v1/sms', { query }), match),
    requests: (match) => collect(list(operator, 'GET /operator/v1/requests', { query }), match),
    faults: {
      async set(rules) {
        await operator.call('PUT /operator/v1/faults', { body: [...rules] });
      },
      async clear() {
        await operator.call('DELETE /operator/v1/faults');
      },
    },
    async snapshot(name = `snapshot-${randomUUID()}`) {
      await change('POST /operator/v1/snapshots', { name });
      return { name };
    },
    async restore(name) {
      await change(`POST /operator/v1/snapshots/${encodeURIComponent(name)}/restore`);
      callbacks.clear();
    },
    async reset() {
      await change('POST /operator/v1/reset');
      callbacks.clear();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
