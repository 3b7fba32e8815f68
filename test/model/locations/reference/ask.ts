import type { Step } from '../case.ts';
import { FOUND_AGO_MS, RADIUS } from '../case.ts';
import { findCached, keepFix, position } from './cache.ts';
import { failure } from './change.ts';
import { CONSENT, isDenied, judge, NOT_ALLOWED } from './consent.ts';
import { type Entry, type Fix, type Held, type Life, ownedLife, type Request, type State } from './state.ts';

export const NOT_CACHED = failure('SVC CACHE UNAVAILABLE');
export const USED_UP = failure('UNSPECIFIED ERROR');
const CANCELLED = failure('CANCELLATION OF TRIGGERED LOCATION REQUEST');
const ABSENT = failure('ABSENT SUBSCRIBER');
const FAILING = failure('POSITION METHOD FAILURE');

type Wish = Extract<Step, { do: 'ask' | 'sync' }>;
type Answer = Readonly<Record<string, unknown>>;
const refused = (why: string): Answer => ({ refused: why });
const GATE = 'Subscribed usage exceeded';

/** What the network says, and when it finds the line its position, which goes to the cache and is billed once. */
export function askNetwork(
  state: State,
  life: Life,
  { account, accuracy }: Pick<Request, 'account' | 'accuracy'>,
) {
  const { answer, place } = state.network[life.line]!;
  if (answer !== 'found') return answer === 'absent' ? ABSENT : FAILING;
  const fix: Fix = {
    place,
    accuracy,
    radius: RADIUS.network[accuracy],
    at: state.now - FOUND_AGO_MS[accuracy],
  };
  keepFix(life, fix);
  state.accounts[account]!.billed++;
  return fix;
}

export const heldOf = (request: Pick<Request, 'cacheMode'>, life: Life, answer: Held | Fix): Held =>
  'text' in answer ? answer : position(request, life, answer, false);

export const isAbsence = (held: Held) => held === ABSENT;

function findLives(state: State, { account, lines }: Wish): readonly Life[] | undefined {
  const lives = lines
    .flatMap((line) => ownedLife(state, line) ?? [])
    .filter(({ owner }) => owner === account);
  return lives.length === lines.length ? lives : undefined;
}

export function locate(state: State, wish: Extract<Step, { do: 'sync' }>): Answer {
  const account = state.accounts[wish.account]!;
  const { accuracy, cacheMode } = wish;
  const lives = findLives(state, wish);
  if (lives === undefined) return refused('Device not found');
  if (lives.some((life) => judge(account, life, accuracy) !== 'shown'))
    return refused('Consent check failed');
  const cached = lives.map((life) => (cacheMode === 2 ? undefined : findCached(life, accuracy)));
  const isWhole = cached.every((fix) => fix !== undefined);
  if (cacheMode === 0 && !isWhole) return refused('Location cache has no data for this device');
  if (!isWhole && !account.isOpen) return refused(GATE);
  const shows = lives.map((life, n) =>
    cached[n] === undefined
      ? heldOf(wish, life, askNetwork(state, life, wish)).text
      : position(wish, life, cached[n], true).text,
  );
  return { shows };
}

export const notify = (state: State, request: Request, entry: Entry, held: Held): void => {
  if (request.by === 'callbacks') post(state, request, { entry, held });
};
export const post = (state: State, request: Request, about: { entry: Entry; held: Held } | undefined): void =>
  void state.messages.push({ request, about, state: 'pending', attempts: 0, attemptsInAll: 0 });

/** The text of an entry that was not asked for, whatever consent says meanwhile. */
export const unasked = (wasDenied: boolean): Held => failure(wasDenied ? NOT_ALLOWED : CONSENT);

function accept(state: State, { accuracy, cacheMode }: Wish, life: Life): Entry {
  const account = state.accounts[life.owner!]!;
  const wasDenied = isDenied(account, life, accuracy);
  const entry: Entry = { life, device: life.device, wasDenied, state: 'over', held: undefined };
  const verdict = judge(account, life, accuracy);
  const cached = cacheMode === 2 ? undefined : findCached(life, accuracy);
  if (verdict !== 'shown') {
    // Of an excluded line, a listener is told so, and a page shows why it was not asked for.
    Object.assign(entry, { state: 'unasked', held: unasked(wasDenied) });
  } else if (cached !== undefined) entry.held = position({ cacheMode }, life, cached, true);
  else if (cacheMode === 0) entry.held = NOT_CACHED;
  else entry.state = 'waiting';
  return entry;
}

export function ask(state: State, wish: Extract<Step, { do: 'ask' }>): Answer {
  const account = state.accounts[wish.account]!;
  const lives = findLives(state, wish);
  if (lives === undefined) return refused('Device not found');
  const { cacheMode, accuracy, name, by } = wish;
  const entries = lives.map((life) => accept(state, wish, life));
  /** Also those that would need it but for consent. */
  const needsNetwork = entries.some(
    (entry) =>
      entry.state === 'waiting' ||
      (entry.state === 'unasked' &&
        (cacheMode === 2 || (cacheMode === 1 && findCached(entry.life, accuracy) === undefined))),
  );
  if (needsNetwork && !account.isOpen) return refused(GATE);
  const isQueued = entries.some((entry) => entry.state === 'waiting');
  const status = isQueued ? 'QUEUED' : 'COMPLETED';
  const request: Request = { name, account: account.nr, by, accuracy, cacheMode, status, entries };
  state.requests.push(request);
  for (const entry of entries) {
    if (entry.held === undefined) continue;
    const isExcluded = judge(account, entry.life, accuracy) === 'excluded';
    notify(state, request, entry, isExcluded ? failure(CONSENT) : entry.held);
  }
  return { status };
}

export function cancel({ requests }: State, name: string): Answer {
  const request = requests.find((one) => one.name === name)!;
  if (request.status !== 'QUEUED') return refused('Unable to Cancel');
  request.status = 'CANCELLED';
  for (const entry of request.entries)
    if (entry.state !== 'over') Object.assign(entry, { state: 'over', held: CANCELLED });
  return { status: 'CANCELLED' };
}
