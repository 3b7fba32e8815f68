export { getStatement } from './list-accounts.ts';
export { isPrimarySession } from './require-credentials.ts';
export { StatementParams, WireStatement } from './schemas.ts';
export { toWireStatement } from './wire.ts';
