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
  /** Its place among the rules, from 0. */
  readonly rule: number;
}

export interface FaultRules {
  /** In the place of all before. */
  set(rules: readonly FaultRule[], chance: Chance): void;
  /** With how many calls each fitted, and on how many of them it was used. */
  list(): Static<typeof WireRule>[];
  clear(): void;
  /** What nearly every call asks. */
  areNone(): boolean;
  /** Counts the call, and answers what is to be done to it. */
  choose(called: CalledFacts): Injection | undefined;
}

const fitsPath = (wanted: string, path: string): boolean =>
  wanted.endsWith('*') ? path.startsWith(wanted.slice(0, -1)) : path === wanted;

function fits({ operation, path, accountName }: Static<typeof Match>, called: CalledFacts): boolean {
  // A rule for everything must not lock out who made it.
  if (called.byOperator && operation === undefined && path === undefined) return false;
  return (
    (operation === undefined || operation === called.operation) &&
    (path === undefined || fitsPath(path, called.path)) &&
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
    areNone: () => rules.length === 0,
    choose(called) {
      for (const [place, counted] of rules.entries()) {
        const { match = {}, after = 0, times = Number.POSITIVE_INFINITY, then } = counted.rule;
        if (counted.used >= times || !fits(match, called)) continue;
        if (counted.matched++ < after) continue;
        if (match.probability !== undefined && draw() >= match.probability) continue;
        counted.used++;
        return { rule: place, ...then };
      }
      return undefined;
    },
  };
}
