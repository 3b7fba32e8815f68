import { defineFaults, type FaultKind, faultsOf } from '../../platform/context/fault.ts';

const { failed, invalid } = faultsOf('UnifiedWebService');

/** Codes of the m2m and fota areas; the location area uses INVALID_PARAMETER with the same text. */
export const callbackFaults = defineFaults({
  badUrl: invalid('Callback.Url', 'The url cannot be used for callbacks'),
  keptCredentials: invalid(
    'Callback.Credentials',
    'The listener moves to another host: give its username and password again, or remove them',
  ),
  unknownService: invalid('Callback.ServiceName', 'The callback service name is not known, or is reserved'),
  legacy: failed(
    'Callback.RegisteredElsewhere',
    'The service is registered through the older interface and must be removed there first',
  ),
  noListener: failed('Callback.NotRegistered', 'No listener is registered for this service'),
  noDelivery: failed('Callback.NotFound', 'The account has no such callback'),
  payloadTooLarge: invalid('Callback.PayloadTooLarge', 'The payload of a test message has at most 64 KiB'),
});

/** The code for the same error in the area that received the request. */
export const inArea = (kind: FaultKind, area: string): FaultKind =>
  area === 'location' ? { ...kind, code: 'INVALID_PARAMETER' } : kind;
