import { defineFaults, fault } from '../../platform/context/fault.ts';

export const moveFaults = defineFaults({
  notDeactive: fault(409, 'line_in_use', 'Only a deactive line can move to another customer'),
});
