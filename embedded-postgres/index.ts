export { lockDataDir, makeFolders, type ServiceLock } from './data-folder.ts';
export { findRunningServer } from './database.ts';
export { DataFolderError, EmbeddedPostgresError } from './errors.ts';
export { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './start.ts';
