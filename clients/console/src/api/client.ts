import {
  addressOf,
  type ConsoleRoute,
  createCaller,
  createSend,
  LinekeeperError,
} from '../../../sdk/index.ts';
import { hasAnswered, noteAnswer, noteSilence } from './reach.ts';

/** Written into the page by the service: the path of the interface is a setting. */
const written = document.querySelector<HTMLMetaElement>('meta[name="linekeeper-base"]')?.content ?? '';
const BASE = written.startsWith('__') ? '/api' : written;

const WAIT_MS = 60_000;

const signedOutListeners = new Set<() => void>();
/** Told when the service says that nobody is signed in. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

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

/** The calls of the console. The browser adds the cookie; the header is one that no form of another site can send. */
export const { call } = createCaller<ConsoleRoute>(async (route, input, read) => {
  const headers = { 'x-requested-by': 'console', ...(unattended() && { 'x-unattended': 'true' }) };
  try {
    const answer = await send(route, input, headers, read);
    noteAnswer();
    return answer;
  } catch (error) {
    const answered = hasAnswered(error);
    if (answered !== undefined) (answered ? noteAnswer : noteSilence)();
    if (statusOf(error) === 401) for (const listener of signedOutListeners) listener();
    throw error;
  }
});

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

/** What the service said when it refused, in the words of its problem document. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof LinekeeperError) || error.status === 0) return undefined;
  const { body } = error;
  const said: { title?: unknown; detail?: unknown } = typeof body === 'object' && body !== null ? body : {};
  const { title = 'The service did not answer', detail } = said;
  return { title: String(title), detail: detail === undefined ? undefined : String(detail) };
}
