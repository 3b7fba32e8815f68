export { DataFolderError, EmbeddedPostgresError } from './errors.ts';
export { findRunningServer } from './find-running.ts';
export { makeFolders } from './make-folders.ts';
export { lockDataDir, type ServiceLock } from './service-lock.ts';
export { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './start.ts';
