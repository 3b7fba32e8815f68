import { defineFaults } from '../../platform/context/fault.ts';
import { TRIGGERS_PER_PROFILE_MAX } from './price-plan-trigger.ts';

export const pricePlanTriggerFaults = defineFaults({
  /** The reason begins with the field at fault. */
  invalid: { status: 400, code: 'invalid_trigger', message: 'The trigger cannot be used' },
  notFound: { status: 404, code: 'trigger_not_found', message: 'Trigger not found.' },
  invalidPage: { status: 400, code: 'invalid_page', message: 'page is not the X-Next of this list' },
  tooMany: {
    status: 400,
    code: 'too_many_triggers',
    message: `A profile has at most ${TRIGGERS_PER_PROFILE_MAX} price plan triggers`,
  },
});
