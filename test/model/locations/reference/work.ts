import type { Row } from '../../outcome.ts';
import { ATTEMPTS, CHUNK, type Change, HOUR_MS, type Step } from '../case.ts';
import { askNetwork, heldOf, isAbsence, NOT_CACHED, notify, post, USED_UP, unasked } from './ask.ts';
import { findCached, position } from './cache.ts';
import { isPossible, make, NO_LINE } from './change.ts';
import { judge, show } from './consent.ts';
import type { Entry, Fix, Held, Life, Request, State } from './state.ts';

export type Work = Extract<Step, { do: 'work' }>;
type Mark = { readonly request: Request; readonly entry: Entry };

const hasLine = ({ account }: Request, { life, device }: Entry) =>
  life.owner === account && life.device === device;
const isAllowed = (state: State, { request, entry }: Mark) =>
  judge(state.accounts[request.account]!, entry.life, request.accuracy) === 'shown';

const marksOf = ({ requests }: State, states: readonly Entry['state'][]): Mark[] =>
  requests.flatMap((request) =>
    request.entries.filter((entry) => states.includes(entry.state)).map((entry) => ({ request, entry })),
  );

/** Served by the cache, or refused by it, when consent comes. */
const readsCache = ({ request, entry }: Mark) => entry.state === 'unasked' && request.cacheMode !== 2;
const needsNetwork = (mark: Mark) =>
  !readsCache(mark) ||
  (mark.request.cacheMode === 1 && findCached(mark.entry.life, mark.request.accuracy) === undefined);

/** Entries that one question to the network serves: a queued request, or all that wait in an account for an accuracy. */
const lookOf = ({ request, entry }: Mark): string =>
  entry.state === 'waiting' ? request.name : `${request.account} ${request.accuracy}`;

/** Everything that will be asked for in this hour: the lines of each look. */
function listLooks(state: State): Map<string, Set<Life>> {
  const looks = new Map<string, Set<Life>>();
  for (const mark of marksOf(state, ['waiting', 'absent', 'unasked'])) {
    const { request, entry } = mark;
    if (!hasLine(request, entry) || !isAllowed(state, mark) || !needsNetwork(mark)) continue;
    if (!state.accounts[request.account]!.isOpen) continue;
    looks.set(lookOf(mark), (looks.get(lookOf(mark)) ?? new Set()).add(entry.life));
  }
  return looks;
}

/** Looks are worked side by side: whether one finds in the cache what another has just put there is undefined. */
export function isUndecided(state: State): boolean {
  const looks = listLooks(state);
  return marksOf(state, ['unasked']).some(
    (mark) =>
      readsCache(mark) &&
      isAllowed(state, mark) &&
      [...looks].some(([look, lives]) => look !== lookOf(mark) && lives.has(mark.entry.life)),
  );
}

/** A change while the network is asked is decided if only one look asks for what it concerns. */
export function fittingWork(state: State, step: Work): Work {
  const { during } = step;
  if (during === undefined) return step;
  const { change, line } = during;
  const looks = [...listLooks(state)].filter(([, lives]) => [...lives].some((life) => life.line === line));
  const [look, ...others] = looks;
  if (look === undefined || others.length > 0 || !isPossible(state, change)) return { do: 'work' };
  const { requests } = state;
  const isOfLine =
    'line' in change &&
    change.line === line &&
    (['move', 'delete'].includes(change.do) || (change.do === 'own' && change.level === 3));
  const isExclusion = change.do === 'exclude' && !change.replace && change.lines.every((one) => one === line);
  const account = 'account' in change ? change.account : -1;
  const ofAccount = [...listLooks(state).keys()].filter(
    (name) =>
      name.startsWith(`${account} `) || requests.some((one) => one.name === name && one.account === account),
  );
  const isGate =
    change.do === 'gate' && ofAccount.length === 1 && ofAccount[0] === look[0] && !look[0].includes(' ');
  return isOfLine || isExclusion || isGate ? step : { do: 'work' };
}

/** Makes the change as soon as its line is asked for. */
function duringOf(state: State, during: Work['during']) {
  let left: Change | undefined = during?.change;
  return (asked: readonly Life[]) => {
    if (left === undefined || !asked.some(({ line }) => line === during!.line)) return;
    const change = left;
    left = undefined;
    make(state, change);
  };
}
type During = ReturnType<typeof duringOf>;
type Asked = (life: Life, request: Request) => void;

function end(state: State, { request, entry }: Mark, held: Held): void {
  entry.held = held;
  entry.state = isAbsence(held) ? 'absent' : 'over';
  notify(state, request, entry, held);
}

function workRequest(state: State, request: Request, asked: Asked, during: During): void {
  const waiting = request.entries.filter((entry) => entry.state === 'waiting');
  for (let from = 0; from < waiting.length; from += CHUNK) {
    const chunk = waiting.slice(from, from + CHUNK);
    const { isOpen } = state.accounts[request.account]!;
    const asking = chunk.filter(
      (entry) => hasLine(request, entry) && isAllowed(state, { request, entry }) && isOpen,
    );
    const usedUp = chunk.filter(
      (entry) => hasLine(request, entry) && isAllowed(state, { request, entry }) && !isOpen,
    );
    for (const { life } of asking) asked(life, request);
    during(asking.map(({ life }) => life));
    for (const entry of chunk) {
      const mark = { request, entry };
      if (!hasLine(request, entry)) end(state, mark, NO_LINE);
      else if (usedUp.includes(entry)) end(state, mark, USED_UP);
      else if (isAllowed(state, mark))
        end(state, mark, heldOf(request, entry.life, askNetwork(state, entry.life, request)));
      else {
        Object.assign(entry, { state: 'unasked', held: unasked(entry.wasDenied) });
        notify(state, request, entry, entry.held!);
      }
    }
  }
  request.status = 'COMPLETED';
}

/** Returns the changed entries. One answer serves all that wait in an account for a line with this accuracy. */
function relocate(state: State, marks: readonly Mark[], asked: Asked, during: During): Mark[] {
  const changed: Mark[] = [];
  const finish = (mark: Mark, held: Held) => {
    end(state, mark, held);
    changed.push(mark);
  };
  const allowed = marks.filter((mark) => isAllowed(state, mark));
  for (const mark of allowed.filter(readsCache)) {
    const { request, entry } = mark;
    const cached = findCached(entry.life, request.accuracy);
    if (cached !== undefined) finish(mark, position(request, entry.life, cached, true));
    else if (request.cacheMode === 0) finish(mark, NOT_CACHED);
  }
  const asking = allowed.filter(({ entry }) => entry.state !== 'over');
  if (asking.length > 0 && !state.accounts[asking[0]!.request.account]!.isOpen) {
    for (const mark of asking) if (mark.entry.state === 'unasked') finish(mark, USED_UP);
  } else {
    for (const { request, entry } of asking) asked(entry.life, request);
    during(asking.map(({ entry }) => entry.life));
    const answers = new Map<Life, Held | Fix>();
    for (const mark of asking) {
      const { request, entry } = mark;
      if (entry.state === 'over' || !isAllowed(state, mark)) continue;
      const answer = answers.get(entry.life) ?? askNetwork(state, entry.life, request);
      answers.set(entry.life, answer);
      if (entry.state === 'unasked' || !('text' in answer)) finish(mark, heldOf(request, entry.life, answer));
    }
  }
  return changed;
}

/** Everything that is due after an hour. Returns whom the network was asked for. */
export function work(state: State, step: Work): Row[] {
  state.now += HOUR_MS;
  const during = duringOf(state, step.during);
  const asked = new Map<string, Row>();
  const note: Asked = ({ line }, { accuracy }) => void asked.set(`${line} ${accuracy}`, { line, accuracy });
  const queued = state.requests.filter(({ status }) => status === 'QUEUED');
  const earlier = marksOf(state, ['absent', 'unasked']);
  const told = new Set(queued);
  for (const request of queued) workRequest(state, request, note, during);
  for (const marks of Map.groupBy(earlier, lookOf).values())
    for (const { request } of relocate(state, marks, note, during)) told.add(request);
  for (const request of told) if (request.by === 'report') post(state, request, undefined);
  return [...asked.values()];
}

/** One attempt of every callback that waits, as its content may be shown at this moment. */
export function deliver(state: State): Row[] {
  const heard: Row[] = [];
  for (const message of state.messages) {
    if (message.state !== 'pending') continue;
    const { request, about } = message;
    const { listens } = state.accounts[request.account]!;
    const line = about && {
      line: about.entry.life.line,
      shows: show(state, request, about.entry, about.held),
    };
    heard.push({ account: request.account, request: request.name, ...line });
    message.attempts++;
    message.attemptsInAll++;
    if (listens) message.state = 'delivered';
    else if (message.attempts === ATTEMPTS) message.state = 'failed';
  }
  return heard;
}
