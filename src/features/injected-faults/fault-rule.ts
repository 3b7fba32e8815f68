import type { Static } from 'typebox';
import type { Chance } from '../../platform/chance/chance.ts';
import type { Match, Rule, Then, WireRule } from './schemas.ts';

type FaultRule = Static<typeof Rule>;

export interface CalledFacts {
  readonly operation: string | undefined;
  readonly path: string;
  readonly accountName: string | undefined;
  readonly byOperator: boolean;
}

/** What is done to one call. */
export interface Injection extends Static<typeof Then> {
  /** The index of the rule, from 0. */
  readonly rule: number;
}

export interface FaultRules {
  /** Replaces all rules. */
  set(rules: readonly FaultRule[], chance: Chance): void;
  /** The rules, each with the number of calls it matched and of those it was applied to. */
  list(): Static<typeof WireRule>[];
  clear(): void;
  /** A cheap check, because nearly every call makes it. */
  isEmpty(): boolean;
  /** Counts the call, and returns the injection for it. */
  choose(called: CalledFacts): Injection | undefined;
}

const matchesPath = (wanted: string, path: string): boolean =>
  wanted.endsWith('*') ? path.startsWith(wanted.slice(0, -1)) : path === wanted;

function matches({ operation, path, accountName }: Static<typeof Match>, called: CalledFacts): boolean {
  // A rule for everything must not lock out the operator who made it.
  if (called.byOperator && operation === undefined && path === undefined) return false;
  return (
    (operation === undefined || operation === called.operation) &&
    (path === undefined || matchesPath(path, called.path)) &&
    (accountName === undefined || accountName === called.accountName)
  );
}

export function createFaultRules(): FaultRules {
  let rules: { rule: FaultRule; matched: number; used: number }[] = [];
  let draw = () => 0;

  return {
    set(given, chance) {
      rules = given.map((rule) => ({ rule, matched: 0, used: 0 }));
      draw = () => chance.bytes(4).readUInt32BE() / 2 ** 32;
    },
    list: () => rules.map(({ rule, matched, used }) => ({ ...rule, matched, used })),
    clear() {
      rules = [];
    },
    isEmpty: () => rules.length === 0,
    choose(called) {
      for (const [index, counted] of rules.entries()) {
        const { match = {}, after = 0, times = Number.POSITIVE_INFINITY, then } = counted.rule;
        if (counted.used >= times || !matches(match, called)) continue;
        if (counted.matched++ < after) continue;
        if (match.probability !== undefined && draw() >= match.probability) continue;
        counted.used++;
        return { rule: index, ...then };
      }
      return undefined;
    },
  };
}
