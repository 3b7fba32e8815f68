export { authenticateViewers } from './session/find-viewer.ts';
export { callerOf } from './session/viewed-accounts.ts';
