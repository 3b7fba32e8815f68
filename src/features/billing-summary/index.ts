export { billedBy } from './answer-request.ts';
export { findBillingProgress } from './requests.ts';
export { roundToCents } from './wire.ts';
