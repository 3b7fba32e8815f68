export { deviceBecameReachable } from './on-device-reachable.ts';
export { RelocatePayload, WorkPayload } from './schemas.ts';
export { eraseLocations } from './sql-entry.ts';
export { deleteEntriesOfAccount, hasOpenLocationRequests } from './sql-request.ts';
export { type TellListeners, tellListeners } from './tell-listeners.ts';
export { withholdLocations } from './withhold-locations.ts';
