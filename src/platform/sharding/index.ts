export { findExtension, isSharded, readTables, type TableFacts } from './catalogue.ts';
export { type Placement, planShards, type ShardPlan } from './plan.ts';
