import { defineFaults, faultsOf } from '../../platform/context/fault.ts';

const { invalid, failed } = faultsOf('Carrier.Service');

/** Errors of licence queries, and of assignments before they are accepted. */
export const licenseFaults = defineFaults({
  accountMissing: invalid('Action.NotDefined', 'accountName is a required field.'),
  badSku: invalid('SkuNumber.Invalid', 'skuNumber has more than 20 characters and is no SKU of SIM Secure'),
  skuNotFound: failed('SkuNumber.NotFound', 'The account has no licences of this skuNumber'),
  tooManyDevices: invalid('NumberofDevices', 'A request can have 100 devices at most'),
});

/** Errors in a callback for one device whose licence could not be assigned or removed. */
export const licenseDeviceFaults = defineFaults({
  notActive: invalid('DeviceState.Invalid', 'Only an active device can get a licence'),
  noneLeft: failed('License.NotAvailable', 'All licences that were purchased are assigned'),
  lifetime: failed('License.Lifetime', 'A Lifetime licence cannot be removed'),
  notAssigned: failed('License.NotAssigned', 'The device has no licence of this skuNumber'),
});
