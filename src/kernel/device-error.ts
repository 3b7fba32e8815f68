export interface DeviceErrorType {
  readonly type: string;
  readonly info: string;
}

/** What stands where the service's own prefix is written: replaced by the configured one. */
const MARKER = 'SVC';

/** Why one device of a request has no position, while the others may have theirs. */
export const DEVICE_ERROR_TYPES: readonly DeviceErrorType[] = [
  { type: 'SVC CACHE UNAVAILABLE', info: 'There is no cached location; set cacheMode to 1 or 2.' },
  { type: 'SVC CONSENT CHECK FAILED', info: 'The device is in the exclusion list.' },
  { type: 'SVC DEVICE TYPE CHECK FAILED', info: 'The device is not an IoT device.' },
  { type: 'SVC DEVICE DATA UNAVAILABLE', info: 'The device was not found in the location system.' },
  { type: 'SVC DEVICE LOCATION DATA UNAVAILABLE', info: 'There is no location information for the device.' },
  { type: 'SYSTEM FAILURE', info: 'The location server has a general problem.' },
  { type: 'UNSPECIFIED ERROR', info: 'None of the other errors applies.' },
  { type: 'UNAUTHORIZED APPLICATION', info: 'The application is not allowed or its password is wrong.' },
  { type: 'UNKNOWN SUBSCRIBER', info: 'There is no such subscription.' },
  { type: 'ABSENT SUBSCRIBER', info: 'The device cannot be reached.' },
  { type: 'POSITION METHOD FAILURE', info: 'The position could not be obtained.' },
  { type: 'TIMEOUT', info: 'The timer for the requested event trigger expired.' },
  { type: 'CONGESTION IN LOCATION SERVER', info: 'The location server is congested.' },
  { type: 'UNSUPPORTED VERSION', info: 'The protocol version is not supported.' },
  { type: 'TOO MANY POSITION ITEMS', info: 'The request holds too many position items.' },
  { type: 'FORMAT ERROR', info: 'An element has an invalid format; ADD_INFO names it.' },
  { type: 'SYNTAX ERROR', info: 'The request has a syntax error.' },
  { type: 'PROTOCOL ELEMENT NOT SUPPORTED', info: 'A protocol element is not supported.' },
  { type: 'SERVICE NOT SUPPORTED', info: 'The service is not supported.' },
  {
    type: 'PROTOCOL ELEMENT ATTRIBUTE NOT SUPPORTED',
    info: 'An attribute of a protocol element is not supported.',
  },
  { type: 'INVALID PROTOCOL ELEMENT VALUE', info: 'A protocol element has an invalid value.' },
  {
    type: 'INVALID PROTOCOL ELEMENT ATTRIBUTE VALUE',
    info: 'An attribute of a protocol element has an invalid value.',
  },
  { type: 'PROTOCOL ELEMENT VALUE NOT SUPPORTED', info: 'The value of a protocol element is not supported.' },
  {
    type: 'PROTOCOL ELEMENT ATTRIBUTE VALUE NOT SUPPORTED',
    info: 'The value of an attribute of a protocol element is not supported.',
  },
  {
    type: 'CANCELLATION OF TRIGGERED LOCATION REQUEST',
    info: 'The triggered location request was cancelled.',
  },
  { type: 'QOP NOT ATTAINABLE', info: 'The requested quality of position cannot be attained.' },
  { type: 'POSITIONING NOT ALLOWED', info: "The subscriber's privacy settings do not allow positioning." },
  { type: 'CONGESTION IN MOBILE NETWORK', info: 'The mobile network is congested.' },
  { type: 'DISALLOWED BY LOCAL REGULATIONS', info: 'Local regulations do not allow positioning.' },
  { type: 'MISCONFIGURATION OF LOCATION SERVER', info: 'The location server is misconfigured.' },
  { type: 'TARGET MOVED TO NEW MSC/SGSN', info: 'The device moved to a new MSC or SGSN.' },
  {
    type: 'STANDARD LOCATION REPORT SERVICE NOT SUPPORTED',
    info: 'The standard location report service is not supported.',
  },
  { type: 'MLS CLIENT ERROR', info: 'The client of the mobile location service made an error.' },
  {
    type: 'STANDARD LOCATION REPORT SERVICE NOT ACCEPTED',
    info: 'The standard location report service was not accepted.',
  },
  {
    type: 'SUBSCRIBER ID IN STANDARD LOCATION REPORT SERVICE NOT VALID',
    info: 'The subscriber ID in the standard location report service is not valid.',
  },
  {
    type: 'INVALID SERVICE ID IN STANDARD LOCATION REPORT SERVICE',
    info: 'The service ID in the standard location report service is invalid.',
  },
];

const MARKED = new RegExp(`^${MARKER} `);
const types: ReadonlySet<string> = new Set(DEVICE_ERROR_TYPES.map(({ type }) => type));

/** The types as this installation spells them. */
export const deviceErrorTypes = (prefix: string): readonly DeviceErrorType[] =>
  DEVICE_ERROR_TYPES.map(({ type, info }) => ({ type: type.replace(MARKED, `${prefix} `), info }));

/** The type in the spelling with the marker, whatever prefix it was written with; undefined when there is none. */
export function parseDeviceErrorType(text: string): string | undefined {
  if (types.has(text)) return text;
  const marked = text.replace(/^[A-Za-z][A-Za-z0-9]{0,15} /, `${MARKER} `);
  return types.has(marked) ? marked : undefined;
}
