export { createFaultRules, type FaultRules } from './fault-rule.ts';
export { chooseFaults, injectFaults } from './inject-faults.ts';
