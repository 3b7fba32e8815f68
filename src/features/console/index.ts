export { authenticateViewers, type ViewerDeps } from './session/find-viewer.ts';
export { callerOf } from './session/viewed-accounts.ts';
