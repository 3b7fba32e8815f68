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

/** Written into the page by the service: the path of the interface is a setting. */
const written = document.querySelector<HTMLMetaElement>('meta[name="linekeeper-base"]')?.content ?? '';
const BASE = written.startsWith('__') ? '/api' : written;

const WAIT_MS = 60_000;

const signedOutListeners = new Set<() => void>();
/** Called when the service says that nobody is signed in. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

/** With its status the interface also says that an account is not the user's: the session has ended only by these codes. */
const ENDED = /^(session_\w+|90090[12]|key_missing)$/;
const isSignedOut = (error: unknown): boolean =>
  error instanceof LinekeeperError && error.status === 401 && ENDED.test(error.code);

/** After so long without a touch nobody is there: what a page then reads by itself does not prolong the session. */
const ATTENDED_MS = 60_000;
let touchedAt = performance.now();
const touch = () => {
  touchedAt = performance.now();
};
for (const event of ['pointerdown', 'keydown', 'wheel'])
  addEventListener(event, touch, { passive: true, capture: true });
const unattended = () => performance.now() - touchedAt > ATTENDED_MS;

const send = createSend({ baseUrl: BASE, timeoutMs: WAIT_MS });

/** Numbers of 64 bits are in the records of devices only. */
const parserOf = (route: string) => (route.includes(' /dm/v1/') ? parseExactly : undefined);

/** Every call. The browser adds the cookie; the header is one that no form of another site can send. */
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

/** Where a list of the interface goes on. */
export const nextOf = (headers: Headers): { readonly next?: string } => {
  const next = headers.get('x-next');
  return next === null ? {} : { next };
};

/** For whom a call is that names no account; of users only their own count. */
export const callFor = (accountName: string) => ({ headers: { 'x-account-name': accountName } });

export const eventsUrl = (accountName: string): string => {
  const route: ConsoleRoute = 'GET /console/v1/accounts/{accountName}/events';
  return addressOf(BASE, route.slice('GET '.length), { path: { accountName } });
};

/** 0 where nothing was answered. */
export const statusOf = (error: unknown): number => (error instanceof LinekeeperError ? error.status : 0);

export interface Refusal {
  readonly title: string;
  readonly detail: string | undefined;
}

/** What the service said when it refused, in whichever of its formats: what it was, and what was wrong with it. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof LinekeeperError) || error.status === 0) return undefined;
  const [, title = error.message, detail] = /^(.*?): (.*)$/s.exec(error.message) ?? [];
  return { title, detail };
}
