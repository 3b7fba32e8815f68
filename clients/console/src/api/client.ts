import {
  addressOf,
  type ConsoleRoute,
  createCaller,
  createSend,
  LinekeeperError,
  type OperatorRoute,
  type PublicRoute,
} from '../../../sdk/index.ts';
import { parseExactly } from './exact-json.ts';
import { hasAnswered, noteAnswer, noteSilence } from './reach.ts';

/** The service writes it into the page, because the path of the interface is a setting. */
const written = document.querySelector<HTMLMetaElement>('meta[name="linekeeper-base"]')?.content ?? '';
const BASE = written.startsWith('__') ? '/api' : written;

const WAIT_MS = 60_000;

const signedOutListeners = new Set<() => void>();
/** Called when the service says that there is no session. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

/** Only these codes mean that the session has ended, because 401 can also mean no access to the account. */
const ENDED = /^(session_\w+|90090[12]|key_missing)$/;
const isSignedOut = (error: unknown): boolean =>
  error instanceof LinekeeperError && error.status === 401 && ENDED.test(error.code);

/** After this time without input, automatic requests no longer prolong the session. */
const ATTENDED_MS = 60_000;
let touchedAt = performance.now();
const touch = () => {
  touchedAt = performance.now();
};
for (const event of ['pointerdown', 'keydown', 'wheel'])
  addEventListener(event, touch, { passive: true, capture: true });
const unattended = () => performance.now() - touchedAt > ATTENDED_MS;

const send = createSend({ baseUrl: BASE, timeoutMs: WAIT_MS });

/** Only device records contain 64-bit numbers. */
const parserOf = (route: string) => (route.includes(' /dm/v1/') ? parseExactly : undefined);

/** Makes a call. The browser adds the cookie; a form on another site cannot send the header. */
export const { call, request, open } = createCaller<ConsoleRoute | OperatorRoute | PublicRoute>(
  async (route, input, read) => {
    const headers = { 'x-requested-by': 'console', ...(unattended() && { 'x-unattended': 'true' }) };
    try {
      const answer = await send(route, input, headers, read);
      noteAnswer();
      return answer;
    } catch (error) {
      const answered = hasAnswered(error);
      if (answered !== undefined) (answered ? noteAnswer : noteSilence)();
      if (isSignedOut(error)) for (const listener of signedOutListeners) listener();
      throw error;
    }
  },
  parserOf,
);

/** The start of the next page of an interface list. */
export const nextOf = (headers: Headers): { readonly next?: string } => {
  const next = headers.get('x-next');
  return next === null ? {} : { next };
};

/** The account for calls that name none; for users, only their own accounts count. */
export const callFor = (accountName: string) => ({ headers: { 'x-account-name': accountName } });

export const eventsUrl = (accountName: string): string => {
  const route: ConsoleRoute = 'GET /console/v1/accounts/{accountName}/events';
  return addressOf(BASE, route.slice('GET '.length), { path: { accountName } });
};

/** The status of the answer; 0 if there was none. */
export const statusOf = (error: unknown): number => (error instanceof LinekeeperError ? error.status : 0);

export interface Refusal {
  readonly title: string;
  readonly detail: string | undefined;
}

/** The title and detail of a refusal, from any of the service's formats. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof LinekeeperError) || error.status === 0) return undefined;
  const [, title = error.message, detail] = /^(.*?): (.*)$/s.exec(error.message) ?? [];
  return { title, detail };
}
