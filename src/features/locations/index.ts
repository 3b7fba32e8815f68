export { locationFaults } from './errors.ts';
