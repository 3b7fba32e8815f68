export { readStatement } from './read-statement.ts';
export { isPrimarySession } from './require-credentials.ts';
export { StatementParams, WireStatement } from './schemas.ts';
export { toWireStatement } from './wire.ts';
