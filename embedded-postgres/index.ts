export { lockDataDir, makeFolders } from './data-folder.ts';
export { findRunningServer } from './database.ts';
export { addressOf, type Databases, withDatabases } from './databases.ts';
export { clearAbandoned, deleteDataDir } from './delete-data-folder.ts';
export { DataFolderError, EmbeddedPostgresError } from './errors.ts';
export type { ComingServer, Preparation, Waiting } from './prepared.ts';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts';
