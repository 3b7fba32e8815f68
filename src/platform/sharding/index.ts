export { findExtension, listShardedTables, readTables } from './catalogue.ts';
export { isolate, rebalance } from './moves.ts';
export { listUnplaced, type Placement, planShards } from './plan.ts';
export { WorkerWatch } from './workers.ts';
