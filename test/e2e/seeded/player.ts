import { clients, users } from '../../../demo/credentials.ts';
import { type Operation, operations } from '../../fuzz/support/document.ts';
import { KNOWN } from '../../fuzz/support/fleet.ts';
import { knownValues } from '../../fuzz/support/known.ts';
import { rightRequestTo } from '../../fuzz/support/right-request.ts';
import { type Answer, type Sent, send } from '../../fuzz/support/wire.ts';
import { basic } from '../../support/fleet.ts';
import type { Listener } from '../../support/listener.ts';

/** Headers with the time of the answer, or the length of a body, which is compared itself. */
const REAL_HEADERS = ['date', 'content-length'];
/** Measured in real time or relative to it. */
const REAL_MEMBERS = /"(latencyMs|medianMs|slowMs|offsetMs|durationMs|until)":(-?[\d.]+|"[^"]*")/g;
/** Headers of callbacks with the time of sending, the signature over it, or the port. */
const REAL_OF_CALLBACKS = ['webhook-timestamp', 'webhook-signature', 'host', 'content-length'];

const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);
const isSuccess = ({ status }: Answer) => status >= 200 && status < 300;
const BROWSER = { 'x-requested-by': 'console', 'sec-fetch-site': 'same-origin' };

type Headers = Readonly<Record<string, string>>;

/** Calls a sandbox, one call after the other, and records requests, answers and callbacks. */
export function openPlayer(listener: Listener) {
  const lines: string[] = [];
  const known = knownValues({ ...KNOWN, url: [listener.url] });
  let [port, base, operatorKey] = [0, '', ''];
  let [user, viewer]: [Headers, Headers] = [{}, {}];

  async function ask(sent: Sent): Promise<Answer> {
    const answer = await send(port, sent);
    const headers = Object.entries(answer.headers).filter(([name]) => !REAL_HEADERS.includes(name));
    lines.push(
      `${sent.method} ${sent.url} ${String(sent.body ?? '')}`,
      `${answer.status} ${JSON.stringify(headers)} ${answer.body.replaceAll(REAL_MEMBERS, '"$1":0')}`,
    );
    return answer;
  }

  const headersOf = ({ credentials }: Operation): Headers => {
    if (credentials.includes('consoleSession')) return viewer;
    if (credentials.includes('operatorKey')) return { authorization: `Bearer ${operatorKey}` };
    if (credentials.includes('clientCredentials')) return { authorization: basic(clients[0]!) };
    return credentials.length === 0 ? BROWSER : user;
  };
  const named = (id: string): Operation => {
    const found = operations.find((operation) => operation.id === id);
    if (found === undefined) throw new Error(`there is no operation ${id}`);
    return found;
  };

  /** A valid request of the operation about the last created objects, or with another body. */
  async function call(id: string, body?: unknown): Promise<Answer> {
    const operation = named(id);
    const made = rightRequestTo(operation);
    const text = body === undefined ? made.body : JSON.stringify(body);
    const answer = await ask({
      method: operation.method,
      url: `${base}${known.resolve(made.path + made.query, encodeURIComponent)}`,
      headers: { ...made.headers, ...headersOf(operation) },
      body: typeof text === 'string' ? known.resolve(text, inJson) : text,
    });
    if (isSuccess(answer) && String(answer.headers['content-type']).startsWith('application/json'))
      known.learnFrom(JSON.parse(answer.body));
    return answer;
  }

  return {
    known,
    call,
    /** Directs further calls to this sandbox. */
    turnTo(service: { readonly url: string; readonly operatorKey: string }): void {
      const { port: its, pathname } = new URL(service.url);
      [port, base, operatorKey] = [Number(its), pathname, service.operatorKey];
    },
    /** Calls without credentials. */
    callAsNobody(id: string): Promise<Answer> {
      const made = rightRequestTo(named(id));
      const path = known.resolve(made.path + made.query, encodeURIComponent);
      return ask({ method: named(id).method, url: `${base}${path}`, headers: made.headers, body: '{}' });
    },
    get: (path: string): Promise<Answer> =>
      ask({
        method: 'GET',
        url: `${base}${path}`,
        headers: { authorization: `Bearer ${operatorKey}` },
        body: undefined,
      }),
    async signIn(): Promise<void> {
      const { access_token: token } = JSON.parse((await call('issueToken')).body);
      user = { authorization: `Bearer ${token}` };
      const { username, password } = users[0]!;
      const { sessionToken } = JSON.parse((await call('logIn', { username, password })).body);
      user = { ...user, 'svc-m2m-token': sessionToken };
      const { headers } = await call('consoleSignIn', { username, password });
      viewer = { ...BROWSER, cookie: headers['set-cookie']![0]!.split(';')[0]! };
    },
    /** Callbacks come last, sorted, because their order of arrival is random. */
    transcript(): readonly string[] {
      const heard = listener.heard.map(({ path, headers, text }) => {
        const told = Object.entries(headers).filter(([name]) => !REAL_OF_CALLBACKS.includes(name));
        return `heard ${path} ${JSON.stringify(Object.fromEntries(told.sort()))} ${text}`;
      });
      return [...lines, ...heard.sort()].map((line) => line.replaceAll(listener.url, 'http://listener'));
    },
  };
}
export type Player = ReturnType<typeof openPlayer>;
