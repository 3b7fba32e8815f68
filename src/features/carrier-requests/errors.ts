import { defineFaults, type FaultKind, faultsOf } from '../../platform/context/fault.ts';
import { planNotFound } from '../plans/index.ts';

const { invalid, failed } = faultsOf('DeviceService');

/** Refusals of a request before it is accepted. */
export const carrierFaults = defineFaults({
  noDevices: invalid('DeviceNotProvided', 'The request names no devices'),
  tooManyDevices: invalid('MaxRequestsExceeded', 'A request can have 10,000 devices at most'),
  unknownKind: invalid('Device.Kind.Invalid', 'A device identifier has an unknown kind'),
  badIdentifier: invalid('Device.Identifier.Invalid', 'A device identifier does not fit its kind'),
  twoLists: invalid(
    'Devices.Ambiguous',
    'There is more than one list of devices, and they exclude each other',
  ),
  emptyFilter: invalid('Filter.Empty', 'A member that chooses devices is null or empty'),
  unknownMember: invalid(
    'Member.Unknown',
    'Without a list of devices the request cannot have a member that is not known',
  ),
  filterNotSupported: invalid('Filter.NotSupported', 'The devices cannot be chosen in this way'),
  planNotFound,
  noneSelected: failed('DeviceNotFound', 'No device of the account fits the request'),
  requestNotFound: failed('RequestNotFound', 'The account has no such request'),
  tooManyRequests: {
    ...failed('TooManyRequests', 'Too many requests of the account are under way'),
    status: 429,
  },
});

/** Faults that a callback reports for one device of an accepted request. */
export const deviceFaults = defineFaults({
  notFound: failed('DeviceNotFound', 'The device was not found'),
  otherAccount: invalid('Device.Account.Invalid', 'The device does not belong to the account'),
  contradicting: invalid('Device.Identifier.Invalid', 'The identifiers do not belong to one device'),
  namedTwice: invalid('Device.Identifier.Invalid', 'The device stands in the request more than once'),
  network: failed('NetworkError', 'The network did not carry out the change'),
  unexpected: failed('UnexpectedError', 'The request could not be carried out'),
});

/** Why one device of a request was not changed, as its callback reports it. */
export interface DeviceFault {
  readonly faultcode: string;
  readonly faultstring: string;
}

/** Device faults are rows of the catalogue, like refusals. `reason` adds what the catalogue's text cannot say. */
export const toDeviceFault = ({ code, message }: FaultKind, reason?: string): DeviceFault => ({
  faultcode: code,
  faultstring: reason === undefined ? message : `${message}: ${reason}`,
});
