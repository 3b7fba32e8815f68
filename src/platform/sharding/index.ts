export { findExtension, listShardedTables, readTables } from './catalogue.ts';
export { listUnplaced, type Placement, planShards } from './plan.ts';
