export { listenerNotifier, withholdLocations } from './callbacks.ts';
export { devicesBecameReachable } from './enqueue-relocations.ts';
export { eraseOwnPositions } from './erase-own.ts';
export { CHUNK, TOGETHER } from './location-request.ts';
export { RelocatePayload } from './schemas.ts';
export { eraseLocations, failAwaited } from './sql-entry.ts';
export { deleteEntriesOfAccount, findEndedLocationMark, hasOpenLocationRequests } from './sql-request.ts';
