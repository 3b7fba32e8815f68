import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATOR_KEY } from '../../support/world.ts';
import { CLIENT, strangersIn, type Tenant } from './tenants.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each caller asserts the parts that it reads.
  readonly json: any;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** A call repeated with its key takes effect once. A call without a key is safe to repeat. */
  readonly key?: string | undefined;
}

export interface OutsideClient {
  operator(asked: Asked): Promise<Answer>;
  asUser(tenant: Tenant, asked: Asked): Promise<Answer>;
  /** Makes the call once; undefined if no response arrived. */
  tryOperator(asked: Asked): Promise<Answer | undefined>;
  tryAsUser(tenant: Tenant, asked: Asked): Promise<Answer | undefined>;
  /** How often a call was repeated because no process, or a failing service, had answered. */
  readonly repeats: number;
  readonly statuses: Map<number, number>;
  /** Ends all attempts: calls that wait for a response, or begin later, fail. */
  giveUp(): void;
}

const PATIENCE_MS = 180_000;
const TIME_LIMIT_MS = 20_000;
const REST_MS = 150;
const OPERATOR = { authorization: `Bearer ${OPERATOR_KEY}` };
/** In flight, too many feeds, or not served now: repeat the call. */
const AGAIN = new Set([409, 429]);

/** Some areas report this with 400. */
const EXPIRED = /Session has expired/;

const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body));

/** Calls any process that serves, as a careful customer does: repeats a call with the same key until it is answered. */
export function openOutsideClient(
  urls: () => readonly string[],
  onSurprise: (what: string) => void,
): OutsideClient {
  const statuses = new Map<number, number>();
  const credentials = new Map<number, Promise<Record<string, string>>>();
  let repeats = 0;
  let turn = 0;
  let isOver = false;

  /** Any failure in transit counts as no response. The content of a complete response is checked elsewhere. */
  async function fetchText(headers: Record<string, string>, { method, path, body, key }: Asked) {
    const serving = urls();
    if (serving.length === 0) return undefined;
    try {
      const response = await fetch(`${serving[turn++ % serving.length]}${path}`, {
        method,
        headers: { ...headers, ...(key !== undefined && { 'idempotency-key': key }) },
        ...(body !== undefined && { body: textOf(body) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(TIME_LIMIT_MS),
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch {
      return undefined;
    }
  }

  async function once(headers: Record<string, string>, asked: Asked): Promise<Answer | undefined> {
    const answer = await fetchText(headers, asked);
    if (answer === undefined) return undefined;
    const { status, text } = answer;
    const surprise = (what: string) =>
      onSurprise(`${asked.method} ${asked.path} was answered with ${what}: ${text.slice(0, 500)}`);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === 500) surprise('500');
    if (!/json/.test(answer.headers.get('content-type') ?? '')) return { ...answer, json: undefined };
    try {
      return { ...answer, json: JSON.parse(text) };
    } catch {
      surprise(`${status} and no JSON`);
      return { ...answer, json: undefined };
    }
  }

  async function untilAnswered(
    headersOf: () => Promise<Record<string, string>>,
    asked: Asked,
  ): Promise<Answer> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      if (isOver) throw new Error(`${asked.method} ${asked.path}: nobody is asked any more`);
      const answer = await once(await headersOf(), asked);
      if (answer !== undefined && answer.status < 500 && !AGAIN.has(answer.status)) return answer;
      if (Date.now() > end)
        throw new Error(`${asked.method} ${asked.path}: no answer but ${answer?.status} ${answer?.text}`);
      repeats++;
      await sleep(REST_MS);
    }
  }

  async function logIn({ user }: Tenant): Promise<Record<string, string>> {
    const basic = Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64');
    const token = await untilAnswered(
      async () => ({ authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' }),
      { method: 'POST', path: '/ts/v1/oauth2/token', body: 'grant_type=client_credentials' },
    );
    const authorization = `Bearer ${token.json.access_token}`;
    const session = await untilAnswered(async () => ({ authorization }), {
      method: 'POST',
      path: '/m2m/v1/session/login',
      body: user,
    });
    if (session.status !== 200) throw new Error(`no session: ${session.status} ${session.text}`);
    return { authorization, 'svc-m2m-token': session.json.sessionToken };
  }
  const headersOf = (tenant: Tenant) => {
    const known = credentials.get(tenant.n) ?? logIn(tenant);
    credentials.set(tenant.n, known);
    return known;
  };
  const look = <A extends Answer | undefined>(tenant: Tenant, { method, path }: Asked, answer: A): A => {
    const strangers = strangersIn(answer?.text ?? '', tenant);
    if (strangers.length > 0) onSurprise(`${method} ${path} told tenant ${tenant.n} of ${strangers.join()}`);
    return answer;
  };

  return {
    statuses,
    giveUp() {
      isOver = true;
    },
    get repeats() {
      return repeats;
    },
    operator: (asked) => untilAnswered(async () => OPERATOR, asked),
    tryOperator: (asked) => once(OPERATOR, asked),
    tryAsUser: async (tenant, asked) => look(tenant, asked, await once(await headersOf(tenant), asked)),
    async asUser(tenant, asked) {
      const keyed = { ...asked, key: asked.method === 'GET' ? undefined : (asked.key ?? randomUUID()) };
      const used = headersOf(tenant);
      const answer = await untilAnswered(() => used, keyed);
      if (answer.status !== 401 && !EXPIRED.test(answer.text)) return look(tenant, asked, answer);
      // Sessions end when the clock is moved. It then logs in again, but only once.
      if (credentials.get(tenant.n) === used) credentials.delete(tenant.n);
      return look(tenant, asked, await untilAnswered(() => headersOf(tenant), keyed));
    },
  };
}
