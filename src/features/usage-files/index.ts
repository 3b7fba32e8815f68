export { createFileEngine } from './engine.ts';
export { type Mapping, parseMapping } from './mapping.ts';
export { receiveFile } from './receive-file.ts';
export { listFiles } from './sql.ts';
export type { FolderFeed } from './take-file.ts';
