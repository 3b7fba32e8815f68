import { defineFaults } from '../../platform/fault.ts';

export const simSecureFaults = defineFaults({
  accountMissing: {
    status: 400,
    code: 'Carrier.Service.INPUT_INVALID.Action.NotDefined',
    message: 'accountName is a required field.',
  },
  badSku: {
    status: 400,
    code: 'Carrier.Service.INPUT_INVALID.SkuNumber.Invalid',
    message: 'skuNumber has at most 20 characters, or is one of the SKUs of SIM Secure',
  },
  skuNotFound: {
    status: 400,
    code: 'Carrier.Service.REQUEST_FAILED.SkuNumber.NotFound',
    message: 'The account has no license with this skuNumber',
  },
});
