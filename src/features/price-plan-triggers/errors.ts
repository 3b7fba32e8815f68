import { defineFaults, fault } from '../../platform/context/fault.ts';
import { TRIGGERS_PER_PROFILE_MAX } from './price-plan-trigger.ts';

export const pricePlanTriggerFaults = defineFaults({
  /** The reason begins with the field at fault. */
  invalid: fault(400, 'invalid_trigger', 'The trigger cannot be used'),
  notFound: fault(404, 'trigger_not_found', 'Trigger not found.'),
  invalidPage: fault(400, 'invalid_page', 'page is not the X-Next of this list'),
  tooMany: {
    status: 400,
    code: 'too_many_triggers',
    message: `A profile has at most ${TRIGGERS_PER_PROFILE_MAX} price plan triggers`,
  },
});
