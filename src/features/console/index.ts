export { authenticateViewers, type ViewerDeps } from './session/find-viewer.ts';
