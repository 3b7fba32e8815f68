export { createFaultRules, type FaultRules } from './fault-rule.ts';
export { injectFaults } from './inject-faults.ts';
