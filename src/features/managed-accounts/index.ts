export { managedAccountFaults } from './errors.ts';
