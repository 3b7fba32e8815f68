import { readRule } from './read-rule.ts';

export interface Evaluation {
  readonly active: boolean;
  /** Of a rule that is evaluated. */
  readonly dialect?: 'conditions' | 'JsonLogic';
  /** Why a rule is inert. */
  readonly reason?: string;
}

/** What a rule query says beside the record: whether readings are compared with the rule, else why not. */
export function describeEvaluation(record: {
  readonly disabled?: unknown;
  readonly rulesyntax?: unknown;
  readonly rulechain?: unknown;
}): Evaluation {
  if (record.disabled === true) return { active: false, reason: 'the rule is disabled' };
  const read = readRule(record.rulesyntax, record.rulechain);
  return read.evaluable ? { active: true, dialect: read.dialect } : { active: false, reason: read.reason };
}
