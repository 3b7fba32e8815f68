import { defineFaults } from '../../platform/context/fault.ts';

export const injectedFaults = defineFaults({
  sandboxOnly: { status: 404, code: 'sandbox_only', message: 'This exists in the sandbox only' },
  badRule: { status: 400, code: 'rule_invalid', message: 'The rule cannot be used' },
  onPurpose: { status: 500, code: 'on_purpose', message: 'Failed on purpose, by a rule of the sandbox' },
});
