import { type Case, isSeen, LATE_MS, latitudeOf, MINUTE_MS, RADIUS, type Step } from '../case.ts';
import { nothing, type Outcome } from '../outcome.ts';
import { ask, cancel, locate } from './ask.ts';
import { findCached, keepFix } from './cache.ts';
import { isPossible, make } from './change.ts';
import { judge, show } from './consent.ts';
import { begin, knownAs, ownedLife, type State } from './state.ts';
import { deliver, fittingWork, isUndecided, work } from './work.ts';

/** A step as it is played, and when. */
export interface Timed {
  readonly at: number;
  readonly step: Step;
}

export interface Foretold {
  /** Without steps that cannot be taken, and only up to the first one with an undefined result. */
  readonly steps: readonly Timed[];
  readonly outcome: Outcome;
}

/** The step as it can be taken now. */
function fitting(state: State, step: Step): Step | undefined {
  const isThere = (account: number) => !state.accounts[account]!.isClosed;
  switch (step.do) {
    case 'network':
      return state.network[step.line]!.answer === 'failing' ? undefined : step;
    case 'feed':
    case 'use':
      return ownedLife(state, step.line) === undefined ? undefined : step;
    case 'sync':
    case 'ask':
      return isThere(step.account) && step.lines.length > 0 ? step : undefined;
    case 'cancel':
      return state.requests.some(({ name }) => name === step.name) ? step : undefined;
    case 'resend':
      return state.requests.some(({ name, by }) => name === step.name && by === 'callbacks')
        ? step
        : undefined;
    case 'listen':
      return isThere(step.account) ? step : undefined;
    case 'work':
      return fittingWork(state, step);
    default:
      return isPossible(state, step) ? step : undefined;
  }
}

/** A position from before the line got the IMEI is rejected, and one from before it came to its account is not kept. */
function feed(state: State, { line, place, accuracy, late }: Extract<Step, { do: 'feed' }>): boolean {
  const life = ownedLife(state, line)!;
  const at = state.now - (late ? LATE_MS : 0);
  if (at < life.imeiSince) return false;
  if (at >= life.cameAt) keepFix(life, { place, accuracy, radius: RADIUS.fed[accuracy], at });
  return true;
}

function resend(state: State, name: string): number {
  const failed = state.messages.filter((one) => one.request.name === name && one.state === 'failed');
  for (const message of failed) Object.assign(message, { state: 'pending', attempts: 0 });
  return failed.length;
}

function take(state: State, outcome: Outcome, step: Step, nth: number): void {
  const answer = (row: object) => void outcome.answers.push({ nth, ...row });
  switch (step.do) {
    case 'network':
      state.network[step.line] = { answer: step.answer, place: step.place };
      return;
    case 'feed':
      answer({ accepted: feed(state, step) });
      return;
    case 'sync':
      answer(locate(state, step));
      return;
    case 'ask':
      answer(ask(state, step));
      return;
    case 'cancel':
      answer(cancel(state, step.name));
      return;
    case 'resend':
      answer({ resent: resend(state, step.name) });
      return;
    case 'listen':
      state.accounts[step.account]!.listens = step.answers;
      return;
    case 'use': {
      const life = ownedLife(state, step.line)!;
      state.used.push({ account: life.owner!, life, key: knownAs(life), bytes: step.bytes });
      return;
    }
    case 'work':
      for (const row of work(state, step)) outcome.asked.push({ nth, ...row });
      for (const row of unique(deliver(state))) outcome.heard.push({ nth, ...row });
      return;
    default:
      make(state, step);
  }
}

/** How often a report is announced within an hour is undefined, and what it says is always the same. */
const unique = <T extends object>(rows: readonly T[]): T[] => {
  const reports = new Set<string>();
  return rows.filter((row) => {
    if ('line' in row) return true;
    const text = JSON.stringify(row);
    return !reports.has(text) && reports.add(text);
  });
};

function look(state: State, { pages, deliveries }: Outcome, nth: number): void {
  for (const request of state.requests)
    if (request.by === 'report')
      pages.push({
        nth,
        request: request.name,
        shows: request.entries.map((entry) => show(state, request, entry, entry.held) ?? ''),
      });
  for (const { request, about, state: messageState, attemptsInAll } of state.messages)
    if (about !== undefined)
      deliveries.push({
        nth,
        account: request.account,
        request: request.name,
        line: about.entry.life.line,
        shows: show(state, request, about.entry, about.held) ?? '',
        state: messageState,
        attempts: attemptsInAll,
      });
}

function conclude({ accounts, lives, requests, used }: State, { settings, bills }: Outcome): void {
  for (const { name, by, status } of requests) if (by === 'report') settings.push({ request: name, status });
  for (const account of accounts) {
    const { nr } = account;
    if (account.isClosed) continue;
    const idents = account.list.map(({ line, nth }) => `${line}.${nth}`).sort();
    settings.push({ account: nr, excludesAll: account.excludesAll, idents });
    for (const life of lives) {
      if (life.owner !== nr) continue;
      const may = { coarse: judge(account, life, 'coarse'), precise: judge(account, life, 'precise') };
      settings.push({ account: nr, line: life.line, level: account.own.get(life.device) ?? account.level });
      const accuracy = may.precise === 'shown' ? 'precise' : 'coarse';
      const fix = may[accuracy] === 'shown' ? findCached(life, accuracy) : undefined;
      if (fix !== undefined)
        settings.push({ account: nr, latitude: latitudeOf(life.line, fix.place), radius: fix.radius });
    }
    bills.push({ account: nr, located: account.billed });
    const its = used.filter((one) => one.account === nr);
    const sums = new Map<string, number>();
    const add = (what: string, bytes: number) => sums.set(what, (sums.get(what) ?? 0) + bytes);
    for (const { life, key, bytes } of its) {
      const { imei, hasLabel } = life.known.get(key)!;
      add('all', bytes);
      add(`imei ${life.line}.${imei}`, bytes);
      if (hasLabel) add(`label ${life.line}`, bytes);
    }
    for (const [what, bytes] of sums) bills.push({ account: nr, what, bytes });
  }
}

export function foretell(drawn: Case, start: number): Foretold {
  const state = begin(drawn, start);
  const outcome = nothing();
  const steps: Timed[] = [];
  for (const step of drawn.steps) {
    state.now += MINUTE_MS;
    const fit = fitting(state, step);
    if (fit === undefined) continue;
    if (fit.do === 'work' && isUndecided(state)) break;
    steps.push({ at: state.now, step: fit });
    take(state, outcome, fit, steps.length);
    if (isSeen(fit)) look(state, outcome, steps.length);
  }
  conclude(state, outcome);
  return { steps, outcome };
}
