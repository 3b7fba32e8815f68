export { findExtension, listShardedTables, readTables, type TableFacts } from './catalogue.ts';
export { listUnplaced, type Placement, planShards, type ShardPlan } from './plan.ts';
