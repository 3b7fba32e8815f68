export { managedAccountFaults } from './errors.ts';
export { readStatement } from './read-statement.ts';
export { StatementParams, WireStatement } from './schemas.ts';
export { toWireStatement } from './wire.ts';
