import { type ConsentLevel, LEVELS_ALLOWING } from '../consent.ts';

interface Entered {
  readonly at: Date;
  readonly actor: string;
}

/** One row of the ledger that concerns a device; rows are in the order in which they were written. */
export type LedgerEntry = Entered &
  (
    | { readonly change: 'level' | 'level-all' | 'device-level'; readonly level: ConsentLevel }
    | { readonly change: 'exclude' | 'allow'; readonly identifier: string }
    | { readonly change: 'exclude-all' | 'allow-all' }
  );

export const BASES = ['all-excluded', 'device-excluded', 'device-level', 'account-level', 'none'] as const;

/** What decides whether a device may be located, and who set it. */
interface Ground {
  readonly basis: (typeof BASES)[number];
  /** Null if an exclusion overrides the level, and if there is none. */
  readonly level: ConsentLevel | null;
  readonly since: Date | null;
  readonly actor: string | null;
}

export interface ConsentInterval extends Ground {
  readonly from: Date;
  /** The end, which is not part of the interval. */
  readonly to: Date;
  readonly coarse: boolean;
  readonly precise: boolean;
}

type Level = Entered & { readonly level: ConsentLevel };

interface State {
  readonly account: Level | undefined;
  readonly own: Level | undefined;
  readonly allExcluded: Entered | undefined;
  /** By identifier, in the order of the exclusions. */
  readonly excluded: ReadonlyMap<string, Entered>;
  /** The start of the gapless period of exclusion, under any identifiers. */
  readonly excludedSince: Entered | undefined;
}

const NOTHING: State = {
  account: undefined,
  own: undefined,
  allExcluded: undefined,
  excluded: new Map(),
  excludedSince: undefined,
};

function apply(state: State, entry: LedgerEntry): State {
  switch (entry.change) {
    case 'level':
      return { ...state, account: entry };
    case 'level-all':
      return { ...state, account: entry, own: undefined };
    case 'device-level':
      return { ...state, own: entry };
    case 'exclude-all':
      return { ...state, allExcluded: entry };
    case 'allow-all':
      return { ...state, allExcluded: undefined };
    case 'exclude':
      // A repeated exclusion keeps its first date.
      return state.excluded.has(entry.identifier)
        ? state
        : { ...state, excluded: new Map([...state.excluded, [entry.identifier, entry]]) };
    case 'allow':
      return {
        ...state,
        excluded: new Map([...state.excluded].filter(([identifier]) => identifier !== entry.identifier)),
      };
  }
}

/** Called after all entries of one point in time, so that an exclusion that moved between identifiers has no gap. */
const settle = (state: State): State => {
  const first = state.excluded.values().next().value;
  return { ...state, excludedSince: first && (state.excludedSince ?? first) };
};

/** An exclusion overrides any level, and a device's own level overrides its account's. */
function groundOf({ account, own, allExcluded, excludedSince }: State): Ground {
  const exclusion = allExcluded ?? excludedSince;
  if (exclusion !== undefined) {
    const basis = allExcluded === undefined ? 'device-excluded' : 'all-excluded';
    return { basis, level: null, since: exclusion.at, actor: exclusion.actor };
  }
  const consent = own ?? account;
  if (consent === undefined) return { basis: 'none', level: null, since: null, actor: null };
  const { level, at: since, actor } = consent;
  return { basis: own === undefined ? 'account-level' : 'device-level', level, since, actor };
}

const isSame = (a: Ground, b: Ground): boolean =>
  a.basis === b.basis &&
  a.level === b.level &&
  a.actor === b.actor &&
  a.since?.getTime() === b.since?.getTime();

const toInterval = (ground: Ground, from: Date, to: Date): ConsentInterval => ({
  from,
  to,
  coarse: ground.level !== null && LEVELS_ALLOWING.coarse.includes(ground.level),
  precise: ground.level !== null && LEVELS_ALLOWING.precise.includes(ground.level),
  ...ground,
});

/**
 * Replays the ledger over a range. Returns gapless intervals, each with one ground. Entries with the same time take
 * effect together.
 */
export function toIntervals(entries: readonly LedgerEntry[], from: Date, to: Date): ConsentInterval[] {
  const intervals: ConsentInterval[] = [];
  let state = NOTHING;
  let began = from;
  let ground = groundOf(state);
  const close = (at: Date) => {
    if (at > began) intervals.push(toInterval(ground, began, at));
    began = at;
  };
  for (const [i, entry] of entries.entries()) {
    if (entry.at >= to) break;
    state = apply(state, entry);
    if (entries[i + 1]?.at.getTime() === entry.at.getTime()) continue;
    state = settle(state);
    const next = groundOf(state);
    if (isSame(next, ground)) continue;
    if (entry.at > from) close(entry.at);
    ground = next;
  }
  close(to);
  return intervals;
}
