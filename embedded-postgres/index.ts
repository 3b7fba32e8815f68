export { lockDataDir, makeFolders } from './data-folder.ts';
export { findRunningServer } from './database.ts';
export { DataFolderError, EmbeddedPostgresError } from './errors.ts';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts';
