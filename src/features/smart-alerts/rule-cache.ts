import type { Db } from '../../platform/db/db.ts';
import { listRuleTexts, parseRule, type ReadRule, type WatchedRule } from '../device-management/index.ts';

/** A rule that was read takes about ten times the room of its text. */
const KEPT_MAX = { rules: 50_000, chars: 16 * 1024 * 1024 };
/** So many texts are in memory at a time; each has 256 KiB at most. */
const TEXTS_AT_ONCE = 500;
/** Of one that is inert no more than the reason is kept. */
const INERT_CHARS = 100;

/** Rules as they were read, by what they looked like then: the same rule is not read again with every batch. */
export interface RuleCache {
  /** In the order of the rules; undefined for one that has been deleted meanwhile. */
  read(db: Db, ecpdId: string, rules: readonly WatchedRule[]): Promise<readonly (ReadRule | undefined)[]>;
}

/** What was put there first goes first, when there are too many or they are too large. */
export function createRuleCache(max = KEPT_MAX): RuleCache {
  const kept = new Map<string, { readonly read: ReadRule; readonly chars: number }>();
  let chars = 0;
  const keyOf = (ecpdId: string, { ruleId, stamp }: Pick<WatchedRule, 'ruleId' | 'stamp'>) =>
    `${ecpdId} ${ruleId} ${stamp}`;
  function remove(key: string): void {
    chars -= kept.get(key)?.chars ?? 0;
    kept.delete(key);
  }
  function put(key: string, read: ReadRule, textChars: number): void {
    remove(key);
    const one = { read, chars: read.evaluable ? textChars : INERT_CHARS };
    kept.set(key, one);
    chars += one.chars;
    for (const oldest of kept.keys()) {
      if (kept.size <= max.rules && chars <= max.chars) break;
      remove(oldest);
    }
  }
  return {
    async read(db, ecpdId, rules) {
      const found = new Map<string, ReadRule>();
      for (const rule of rules) {
        const read = kept.get(keyOf(ecpdId, rule))?.read;
        if (read !== undefined) found.set(rule.ruleId, read);
      }
      const missing = rules.filter(({ ruleId }) => !found.has(ruleId)).map(({ ruleId }) => ruleId);
      for (let n = 0; n < missing.length; n += TEXTS_AT_ONCE) {
        for (const text of await listRuleTexts(db, ecpdId, missing.slice(n, n + TEXTS_AT_ONCE))) {
          const read = parseRule(text.rulesyntax, text.rulechain);
          found.set(text.ruleId, read);
          put(keyOf(ecpdId, text), read, text.chars);
        }
      }
      return rules.map(({ ruleId }) => found.get(ruleId));
    },
  };
}
