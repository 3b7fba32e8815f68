export { rulesSection } from './fleet-rules.ts';
export { userProfilesSection } from './fleet-user-profiles.ts';
export { ANSWER_MAX_CHARS } from './limits.ts';
export { findOneDevice, parseDeviceIdentifiers } from './querying/find-device.ts';
export { type Page, readPage, sealPage } from './querying/page.ts';
export { momentOf, parseFields } from './querying/parse-selection.ts';
export { parseExpand, parseProjection } from './querying/record-query.ts';
export { Filter, ResourceIdentifier } from './querying/schemas.ts';
export { isBannedName } from './rule-dialect/chain.ts';
export { compareWith } from './rule-dialect/comparisons.ts';
export { parseRule } from './rule-dialect/parse-rule.ts';
export type { Compared, EvaluableRule, Facts, ReadRule, Values } from './rule-dialect/rule.ts';
export {
  countRuleChanges,
  hasRuleChanges,
  listProfilesWithRuleChanges,
  takeRuleChanges,
} from './sql-rule-change.ts';
export {
  listRuleSwitches,
  listRulesOfDevices,
  listRuleTexts,
  type StampedRule,
  type WatchedRule,
} from './sql-watched-rule.ts';
export { deleteRulesOfDevices, moveRules } from './writing/rules-of-devices.ts';
