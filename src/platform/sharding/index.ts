export { findExtension, listShardedTables, readShardedTables, readTables } from './catalogue.ts';
export { isolate, rebalance } from './moves.ts';
export { listUnplaced, type Placement, planShards, SHARDING_SETTINGS } from './plan.ts';
export { WorkerWatch } from './workers.ts';
