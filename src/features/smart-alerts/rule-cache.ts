import type { Db } from '../../platform/db/db.ts';
import {
  listRuleTexts,
  parseRule,
  type ReadRule,
  type StampedRule,
  type WatchedRule,
} from '../device-management/index.ts';

/** A parsed rule uses about ten times the memory of its text. */
const KEPT_MAX = { rules: 50_000, chars: 16 * 1024 * 1024 };
/** At most this many texts are in memory at a time; each has 256 KiB at most. */
const TEXTS_AT_ONCE = 500;
/** The cost of an inert rule, for which only the reason is kept. */
const INERT_CHARS = 100;

interface KnownRule {
  readonly rule: WatchedRule;
  readonly read: ReadRule;
}

interface Kept extends KnownRule {
  readonly ecpdId: string;
  readonly stamp: string;
  readonly chars: number;
}

/** Parsed rules by version stamp, so that a rule is not parsed again for every batch. */
export interface RuleCache {
  /** In the order of `rules`; undefined for a rule that has been deleted in between. */
  read(db: Db, ecpdId: string, rules: readonly StampedRule[]): Promise<readonly (KnownRule | undefined)[]>;
}

/** Evicts the oldest entries when there are too many or they are too large. */
export function createRuleCache(max = KEPT_MAX): RuleCache {
  const kept = new Map<string, Kept>();
  let chars = 0;
  function remove(ruleId: string): void {
    chars -= kept.get(ruleId)?.chars ?? 0;
    kept.delete(ruleId);
  }
  function put(one: Kept): void {
    remove(one.rule.ruleId);
    kept.set(one.rule.ruleId, one);
    chars += one.chars;
    for (const oldest of kept.keys()) {
      if (kept.size <= max.rules && chars <= max.chars) break;
      remove(oldest);
    }
  }
  async function load(db: Db, ecpdId: string, ruleIds: readonly string[]): Promise<Map<string, Kept>> {
    const loaded = new Map<string, Kept>();
    for (let n = 0; n < ruleIds.length; n += TEXTS_AT_ONCE) {
      const texts = await listRuleTexts(db, ecpdId, ruleIds.slice(n, n + TEXTS_AT_ONCE));
      for (const { rulesyntax, rulechain, stamp, chars, ...rule } of texts) {
        const read = parseRule(rulesyntax, rulechain);
        const one = { rule, read, ecpdId, stamp, chars: read.evaluable ? chars : INERT_CHARS };
        loaded.set(rule.ruleId, one);
        put(one);
      }
    }
    return loaded;
  }
  return {
    async read(db, ecpdId, rules) {
      const known = rules.map(({ ruleId, stamp }) => {
        const one = kept.get(ruleId);
        return one?.stamp === stamp && one.ecpdId === ecpdId ? one : undefined;
      });
      const missing = rules.flatMap(({ ruleId }, n) => (known[n] === undefined ? [ruleId] : []));
      if (missing.length === 0) return known;
      const loaded = await load(db, ecpdId, missing);
      return known.map((one, n) => one ?? loaded.get(rules[n]!.ruleId));
    },
  };
}
