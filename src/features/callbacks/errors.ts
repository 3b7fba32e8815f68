import { defineFaults, type FaultKind } from '../../platform/context/fault.ts';

/** In the m2m and fota areas; the location area says INVALID_PARAMETER with the same words. */
export const callbackFaults = defineFaults({
  badUrl: {
    status: 400,
    code: 'UnifiedWebService.INPUT_INVALID.Callback.Url',
    message: 'The url cannot be used for callbacks',
  },
  keptCredentials: {
    status: 400,
    code: 'UnifiedWebService.INPUT_INVALID.Callback.Credentials',
    message: 'The listener moves to another host: give its username and password again, or remove them',
  },
  unknownService: {
    status: 400,
    code: 'UnifiedWebService.INPUT_INVALID.Callback.ServiceName',
    message: 'The callback service name is not known, or is reserved',
  },
  legacy: {
    status: 400,
    code: 'UnifiedWebService.REQUEST_FAILED.Callback.RegisteredElsewhere',
    message: 'The service is registered through the older interface and must be removed there first',
  },
  noListener: {
    status: 400,
    code: 'UnifiedWebService.REQUEST_FAILED.Callback.NotRegistered',
    message: 'No listener is registered for this service',
  },
});

/** The code that the area a request came through uses for the same refusal. */
export const inArea = (kind: FaultKind, area: string): FaultKind =>
  area === 'location' ? { ...kind, code: 'INVALID_PARAMETER' } : kind;
