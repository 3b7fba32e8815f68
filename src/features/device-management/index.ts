export { rulesSection } from './fleet-rules.ts';
export { userProfilesSection } from './fleet-user-profiles.ts';
export { ANSWER_MAX_CHARS } from './limits.ts';
export { readDeviceIdentifiers } from './querying/devices-like.ts';
export { listRuleVersions, type RuleVersion } from './querying/list-rule-versions.ts';
export { type Page, readPage, sealPage } from './querying/page.ts';
export { queryRecords } from './querying/query-records.ts';
export { readExpand } from './querying/read-expand.ts';
export { momentOf, readFields } from './querying/read-selection.ts';
export { readProjection } from './querying/record-query.ts';
export { Filter, ResourceIdentifier } from './querying/schemas.ts';
export type { WireRecord } from './querying/wire.ts';
export { Evaluation as WireEvaluation } from './routing/wire-schemas.ts';
export { isBannedName } from './rule-dialect/chain.ts';
export { describeEvaluation, type Evaluation } from './rule-dialect/describe-evaluation.ts';
export { readRule } from './rule-dialect/read-rule.ts';
export type { EvaluableRule, Facts, ReadRule, Values } from './rule-dialect/rule.ts';
export {
  listRuleSwitches,
  listRulesOfDevices,
  listRuleTexts,
  type WatchedRule,
} from './sql-watched-rule.ts';
export { deleteRulesOfDevices } from './writing/delete-rules.ts';
export { moveRules } from './writing/move-rules.ts';
export { updateDevice as updateDeviceRecord } from './writing/update-device.ts';
export { deleteRule, putRule } from './writing/write-rule.ts';
