import { AHEAD_MS, type Usage } from '../case.ts';
import { iso, nameOf } from '../outcome.ts';
import { type Begun, follow } from './act.ts';
import { DAY_MS } from './calendar.ts';
import { cycleAt, dateAt } from './cycles.ts';
import { type Firing, fire } from './fire.ts';
import { type Entry, isData, ownerAt, planAt, type State, sumOf } from './state.ts';
import { throttle } from './throttle.ts';
import { watchesOf } from './watches.ts';

/** How long after the end of a cycle its usage is still reported. */
const LATE_MS = 3 * DAY_MS;

interface Answer {
  accepted: number;
  duplicates: number;
  readonly rejected: string[];
}

/** The accepted record, or the reason for its rejection. */
function judge(state: State, usage: Usage): Entry | 'unknown' | 'future' {
  const line = state.lines[usage.line];
  const account = line && ownerAt(line, usage.at);
  if (line === undefined || account === undefined) return 'unknown';
  if (usage.at > state.now + AHEAD_MS) return 'future';
  const at = Math.min(usage.at, state.now);
  const day = dateAt(state, account, at);
  const delayed = cycleAt(state, account, 'Monthly', at).closes <= state.now;
  return { ...usage, at, account, day, plan: planAt(line, at), delayed };
}

/** Counts one record, and returns the firings that it causes. */
function count(state: State, entry: Entry): Firing[] {
  state.ledger.push(entry);
  if (!isData(entry)) return [];
  const found: Firing[] = [];
  for (const trigger of state.triggers.filter(({ active }) => active))
    for (const watch of watchesOf(trigger, entry, state)) {
      const cycle = watch.cycles.of(entry);
      if (cycle === undefined || state.now >= cycle.closes + LATE_MS) continue;
      const after = sumOf(state, cycle, watch.counts);
      const before = after - entry.bytes;
      for (const { kind, level, threshold, isReached } of watch.levels) {
        if (!isReached(before, after)) continue;
        const late = state.now >= cycle.closes;
        const { subject } = watch;
        const fact = { trigger, subject, kind, level, threshold, cycle, before, after, late };
        const line = subject === nameOf.line(entry.line) ? entry.line : undefined;
        const firing = fire(state, { ...fact, record: entry.id }, line, entry.plan);
        if (firing) found.push(firing);
      }
    }
  return found;
}

/** Record by record in the order of the feed; consequences follow when all are counted. */
export function takeFeed(state: State, records: readonly Usage[]): readonly Begun[] {
  const answer: Answer = { accepted: 0, duplicates: 0, rejected: [] };
  const fresh: Entry[] = [];
  const firings: Firing[] = [];
  for (const [n, usage] of records.entries()) {
    const judged = judge(state, usage);
    if (typeof judged === 'string') answer.rejected.push(`${n + 1} ${judged}`);
    else if (state.ledger.some(({ id }) => id === usage.id)) answer.duplicates++;
    else {
      answer.accepted++;
      fresh.push(judged);
      firings.push(...count(state, judged));
    }
  }
  state.outcome.feeds.push({ at: iso(state.now), ...answer });
  throttle(state, fresh);
  return follow(state, firings);
}
