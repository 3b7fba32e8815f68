export { getStatement } from './list-accounts.ts';
export { StatementParams, WireStatement } from './schemas.ts';
export { toWireStatement } from './wire.ts';
