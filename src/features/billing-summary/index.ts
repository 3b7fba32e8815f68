export { billedBy } from './answer-bill.ts';
export { findBillingProgress } from './find-progress.ts';
export { roundToCents } from './money.ts';
