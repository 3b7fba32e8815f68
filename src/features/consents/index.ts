export {
  carryDenials,
  freezeConsents,
  keepReplacedExclusions,
  withdrawFromEarlier,
  withdrawIdentified,
} from './carry-consents.ts';
export { type ListedDevice, parseDeviceList, repeated, requireRegistered, sentFor } from './check-request.ts';
export type { Accuracy } from './consent.ts';
export { hasNumber } from './device-ref.ts';
export { deviceListFaults } from './errors.ts';
export { consentsSection } from './fleet/fleet-consents.ts';
export { exclusionsSection } from './fleet/fleet-exclusions.ts';
export { consentsGiven } from './jobs.ts';
export { getConsentHistory } from './ledger/get-history.ts';
export { listConsentChanges } from './ledger/sql-changes.ts';
export { RangeQuery, WireHistory } from './schemas.ts';
export { putDefaultConsents } from './sql-level.ts';
export { forgetLines, listEarlierLines } from './sql-past-line.ts';
export {
  allExcluded,
  findAccountAccuracy,
  joinOwnLevels,
  listWithheld,
  type Shown,
  shownBy,
  type Withheld,
} from './sql-withheld.ts';
export { toTextTimestamp } from './wire.ts';
