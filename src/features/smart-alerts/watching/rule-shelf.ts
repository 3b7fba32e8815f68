import type { Db } from '../../../platform/db/db.ts';
import { listRuleTexts, type ReadRule, readRule, type WatchedRule } from '../../device-management/index.ts';

const KEPT_MAX = 50_000;

/** Rules as they were read, by what they looked like then: the same rule is not read again with every batch. */
export interface RuleShelf {
  /** In the order of the rules; undefined for one that has been deleted meanwhile. */
  read(db: Db, ecpdId: string, rules: readonly WatchedRule[]): Promise<readonly (ReadRule | undefined)[]>;
}

export function createRuleShelf(): RuleShelf {
  const kept = new Map<string, ReadRule>();
  const keyOf = (ecpdId: string, { ruleId, stamp }: Pick<WatchedRule, 'ruleId' | 'stamp'>) =>
    `${ecpdId} ${ruleId} ${stamp}`;
  return {
    async read(db, ecpdId, rules) {
      const found = new Map<string, ReadRule>();
      for (const rule of rules) {
        const read = kept.get(keyOf(ecpdId, rule));
        if (read !== undefined) found.set(rule.ruleId, read);
      }
      const missing = rules.filter(({ ruleId }) => !found.has(ruleId)).map(({ ruleId }) => ruleId);
      if (missing.length > 0) {
        for (const text of await listRuleTexts(db, ecpdId, missing)) {
          const read = readRule(text.rulesyntax, text.rulechain);
          found.set(text.ruleId, read);
          kept.set(keyOf(ecpdId, text), read);
        }
        for (const key of kept.keys()) {
          if (kept.size <= KEPT_MAX) break;
          kept.delete(key);
        }
      }
      return rules.map(({ ruleId }) => found.get(ruleId));
    },
  };
}
