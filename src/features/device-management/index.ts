export { rulesSection } from './fleet-rules.ts';
export { userProfilesSection } from './fleet-user-profiles.ts';
export { ANSWER_MAX_CHARS } from './limits.ts';
export { readDeviceIdentifiers } from './querying/find-device.ts';
export { listRuleVersions, type RuleVersion } from './querying/list-rule-versions.ts';
export { type Page, readPage, sealPage } from './querying/page.ts';
export { queryRecords } from './querying/query-records.ts';
export { momentOf, readFields } from './querying/read-selection.ts';
export { readExpand, readProjection } from './querying/record-query.ts';
export { Evaluation as WireEvaluation, Filter, ResourceIdentifier } from './querying/schemas.ts';
export type { WireRecord } from './querying/wire.ts';
export { isBannedName } from './rule-dialect/chain.ts';
export { describeEvaluation, type Evaluation, readRule } from './rule-dialect/read-rule.ts';
export type { EvaluableRule, Facts, ReadRule, Values } from './rule-dialect/rule.ts';
export {
  listRuleSwitches,
  listRulesOfDevices,
  listRuleTexts,
  type WatchedRule,
} from './sql-watched-rule.ts';
export { deleteRulesOfDevices, moveRules } from './writing/rules-of-devices.ts';
export { updateDevice as updateDeviceRecord } from './writing/update-device.ts';
export { deleteRule, putRule } from './writing/write-rule.ts';
