import { nameOf } from '../outcome.ts';
import type { Cycle } from './cycles.ts';
import { type Firing, fire } from './fire.ts';
import { type Entry, isData, type LineState, type State, sumOf, type Trigger } from './state.ts';
import { throttle } from './throttle.ts';
import { type Watch, watchesOf } from './watches.ts';

interface MovedEntry {
  readonly entry: Entry;
  readonly from: string;
}

/** A counter that includes some of the moved usage now. */
interface Touched {
  readonly trigger: Trigger;
  readonly watch: Watch;
  readonly cycle: Cycle;
}

function touchedBy(state: State, moved: readonly MovedEntry[]): readonly Touched[] {
  const found = new Map<string, Touched>();
  for (const trigger of state.triggers.filter(({ active }) => active))
    for (const { entry } of moved)
      for (const watch of watchesOf(trigger, entry, state)) {
        const cycle = watch.cycles.of(entry);
        if (cycle !== undefined)
          found.set(`${trigger.name} ${watch.subject} ${cycle.opens}`, { trigger, watch, cycle });
      }
  return [...found.values()];
}

/** What the moved usage of a line adds to the counter: usage that counts now and did not before. */
function broughtBy(line: number, { watch, cycle }: Touched, moved: readonly MovedEntry[]): number {
  return moved
    .filter(({ entry }) => entry.line === line && cycle.has(entry))
    .filter(({ entry, from }) => watch.counts(entry) && !watch.counts({ ...entry, plan: from }))
    .reduce((sum, { entry }) => sum + entry.bytes, 0);
}

/** Line by line: each line is one step of the counter. Closed cycles stay unchanged. */
function reachedBy(
  state: State,
  touched: Touched,
  moved: readonly MovedEntry[],
  lines: readonly number[],
): Firing[] {
  const { trigger, watch, cycle } = touched;
  if (state.now >= cycle.closes) return [];
  const steps = lines
    .map((line) => ({ line, bytes: broughtBy(line, touched, moved) }))
    .filter(({ bytes }) => bytes > 0);
  const found: Firing[] = [];
  let before = sumOf(state, cycle, watch.counts) - steps.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { line, bytes } of steps) {
    const after = before + bytes;
    for (const { kind, level, threshold, isReached } of watch.levels) {
      if (!isReached(before, after)) continue;
      const { subject } = watch;
      const fact = { trigger, subject, kind, level, threshold, cycle, before, after } as const;
      const ownLine = subject === nameOf.line(line) ? line : undefined;
      const { plan } = moved.find(({ entry }) => entry.line === line)!.entry;
      const cause = { record: null, cause: 'planChange', late: false } as const;
      const firing = fire(state, { ...fact, ...cause }, ownLine, plan);
      if (firing) found.push(firing);
    }
    before = after;
  }
  return found;
}

/** Counts all usage of the lines, each from its own time on, on the plan; the levels reached fire. */
export function moveUsage(
  state: State,
  lines: ReadonlyMap<LineState, number>,
  plan: string,
): { readonly firings: readonly Firing[]; readonly movedUsage: boolean } {
  const moved: MovedEntry[] = [];
  for (const [line, since] of lines)
    for (const entry of state.ledger.filter(
      (one) => one.line === line.n && one.account === line.account && one.at >= since,
    )) {
      if (isData(entry) && entry.plan !== plan && entry.bytes > 0) moved.push({ entry, from: entry.plan });
      entry.plan = plan;
    }
  const numbers = [...lines.keys()].map(({ n }) => n);
  const firings = touchedBy(state, moved).flatMap((one) => reachedBy(state, one, moved, numbers));
  throttle(
    state,
    moved.map(({ entry }) => entry),
  );
  return { firings, movedUsage: moved.length > 0 };
}
