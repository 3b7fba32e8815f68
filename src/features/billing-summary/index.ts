export { findBillingProgress } from './find-progress.ts';
