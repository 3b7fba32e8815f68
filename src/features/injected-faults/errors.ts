import { defineFaults, fault } from '../../platform/context/fault.ts';

export const injectedFaults = defineFaults({
  sandboxOnly: fault(404, 'sandbox_only', 'This is available only in the sandbox'),
  badRule: fault(400, 'rule_invalid', 'The rule cannot be used'),
  onPurpose: fault(500, 'on_purpose', 'Failed on purpose by a rule of the sandbox'),
});
