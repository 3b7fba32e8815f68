export { listenerNotifier, withholdLocations } from './callbacks.ts';
export { createRequest, type RequestDeps } from './create-request.ts';
export { devicesBecameReachable } from './enqueue-relocations.ts';
export { getReport } from './get-report.ts';
export { CHUNK, DEVICES_MAX, keptSince, PAGE } from './location-request.ts';
export { RelocatePayload } from './schemas.ts';
export { eraseLocations, failAwaited } from './sql-entry.ts';
export { countStates, type ListedAfter, listFleetIds, listIdsOf, listReports } from './sql-listing.ts';
export { deleteEntriesOfAccount, findEndedLocationMark, hasOpenLocationRequests } from './sql-request.ts';
