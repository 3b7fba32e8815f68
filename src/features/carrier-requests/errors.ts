import { defineFaults } from '../../platform/fault.ts';

const invalid = (detail: string, message: string) => ({
  status: 400,
  code: `DeviceService.INPUT_INVALID.${detail}`,
  message,
});
const failed = (detail: string, message: string) => ({
  status: 400,
  code: `DeviceService.REQUEST_FAILED.${detail}`,
  message,
});

/** What refuses a request before it is taken. */
export const carrierFaults = defineFaults({
  noDevices: invalid('DeviceNotProvided', 'The request names no devices'),
  tooManyDevices: invalid('MaxRequestsExceeded', 'A request can have 10,000 devices at most'),
  unknownKind: invalid('Device.Kind.Invalid', 'A device identifier has an unknown kind'),
  badIdentifier: invalid('Device.Identifier.Invalid', 'A device identifier does not fit its kind'),
  filterNotSupported: invalid('Filter.NotSupported', 'The devices cannot be chosen in this way'),
  planNotFound: failed('_servicePlan_.NotFound', 'The service plan was not found'),
  noneSelected: failed('DeviceNotFound', 'No device of the account fits the request'),
  requestNotFound: failed('RequestNotFound', 'The account has no such request'),
  tooManyRequests: {
    status: 429,
    code: 'DeviceService.REQUEST_FAILED.TooManyRequests',
    message: 'Too many requests of the account are under way',
  },
});

/** What a callback tells of one device of a request that was taken. */
export const deviceFaults = defineFaults({
  notFound: failed('DeviceNotFound', 'The device was not found'),
  otherAccount: invalid('Device.Account.Invalid', 'The device does not belong to the account'),
  contradicting: invalid('Device.Identifier.Invalid', 'The identifiers do not belong to one device'),
  namedTwice: invalid('Device.Identifier.Invalid', 'The device stands in the request more than once'),
  unexpected: failed('UnexpectedError', 'The request could not be carried out'),
});
