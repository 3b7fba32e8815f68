export { locationFaults } from './errors.ts';
export { getHistory } from './get-history.ts';
export {
  columnsOf,
  listFleetPositions,
  listPositionNews,
  type PositionColumns,
} from './list-fleet-positions.ts';
export { listPositionCells } from './list-position-cells.ts';
export { oldestAllowed } from './locate-devices.ts';
export {
  ABSENT,
  CANCELLED,
  type CacheMode,
  CONSENT_FAILED,
  type DeviceFailure,
  type Fix,
  NO_IOT_DEVICE,
  NO_LINE,
  NO_LOCATION,
  NOT_ALLOWED,
  NOT_CACHED,
  type Outcome,
  type PositionSource,
  type Recorded,
  SOURCE_FAILED,
  type SourceAnswer,
  SourceRefused,
  type SourceRequest,
  type Target,
  USED_UP,
} from './location.ts';
export { createLocator, type Locator } from './locator.ts';
export { findRequestedDevices, type LocateRequest, parseLocateRequest } from './parse-request.ts';
export { recordFixes } from './record-fixes.ts';
export { LocateBody, WireEntry } from './schemas.ts';
export { createSourceNotes, type KnownSource, listSources } from './source-status.ts';
export { type BudgetedSource, sourcesInOrder } from './sources-in-order.ts';
export { type FoundDevice, listTargets } from './sql-device.ts';
export {
  countErasable,
  deleteHistoryOfAccount,
  deletePositions,
  deletePositionsIn,
  deletePositionsOfAccount,
} from './sql-history.ts';
export {
  cachedPosition,
  deletePositionNews,
  findLastFix,
  findNetworkCondition,
  findPositionMark,
  keepFixes,
  listPositions,
  NETWORK_CONDITIONS,
  setNetworkCondition,
} from './sql-position.ts';
export { type PositionsPolicy, takePositions } from './take-positions.ts';
export { type EntryWriter, entryWriter, toWirePosition } from './wire.ts';
