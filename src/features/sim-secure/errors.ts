import { defineFaults } from '../../platform/fault.ts';

export const simSecureFaults = defineFaults({
  accountMissing: {
    status: 400,
    code: 'Carrier.Service.INPUT_INVALID.Action.NotDefined',
    message: 'accountName is a required field.',
  },
});
