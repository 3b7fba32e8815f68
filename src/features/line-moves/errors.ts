import { defineFaults } from '../../platform/context/fault.ts';

export const moveFaults = defineFaults({
  notDeactive: {
    status: 409,
    code: 'line_in_use',
    message: 'Only a deactive line can be moved to another customer',
  },
});
