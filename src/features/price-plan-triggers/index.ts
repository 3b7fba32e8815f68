export { checkContent, profileOf } from './check-content.ts';
export { pricePlanTriggerFaults } from './errors.ts';
export { pricePlanTriggersSection } from './fleet-price-plan-triggers.ts';
export { idOf } from './list-triggers.ts';
export { parseNotification } from './parsing/parse-notification.ts';
export { parseRule, parseTrigger } from './parsing/parse-rule.ts';
export { carrierCodesOf, type PlacedRule, placeRules, type Surroundings } from './place-rules.ts';
export {
  type KeepLevels,
  type ParsedTrigger,
  type PricePlanFiring,
  type PricePlanTrigger,
  type Viewer,
  viewerOf,
} from './price-plan-trigger.ts';
export type {
  DataUnit,
  GroupShareIndividual,
  GroupSharePool,
  PayAsYouGo,
  PoolMoves,
  Rule,
  SuspendDuration,
  Suspension,
  Threshold,
  TriggerNotification,
} from './rule.ts';
export * as pricePlanTriggerSchemas from './schemas.ts';
export { holdTrigger, type TriggerKey, triggerOf } from './sql.ts';
export {
  type CataloguePlan,
  type GroupMembers,
  listGroupMembers,
  listPlansByCarrierCode,
} from './sql-catalogue.ts';
export {
  countTriggersNaming,
  countTriggersOf,
  countTriggersOfGroup,
  listProfilesComparing,
  listTriggerIds,
  listTriggersById,
} from './sql-list.ts';
export {
  deleteOrphanedTriggers,
  findProfileOfVersions,
  findSeen,
  type LastVersions,
  lastVersionSeen,
  listFiredVersions,
  listLastVersions,
  listTriggerNames,
  wasSwitchedOff,
} from './sql-version.ts';
export { dropBlanks, fromWireContent } from './wire.ts';
