/** The placeholder for the service's own prefix; replaced by the configured one. */
const MARKER = 'SVC';

/** Why one device of a request has no position, while others may have one: the type, and its meaning. */
export const DEVICE_ERRORS: Readonly<Record<string, string>> = {
  'SVC CACHE UNAVAILABLE': 'There is no cached location; set cacheMode to 1 or 2.',
  'SVC CONSENT CHECK FAILED': 'The device is in the exclusion list.',
  'SVC DEVICE TYPE CHECK FAILED': 'The device is not an IoT device.',
  'SVC DEVICE DATA UNAVAILABLE': 'The device was not found in the location system.',
  'SVC DEVICE LOCATION DATA UNAVAILABLE': 'There is no location information for the device.',
  'SYSTEM FAILURE': 'The location server has a general problem.',
  'UNSPECIFIED ERROR': 'None of the other errors applies.',
  'UNAUTHORIZED APPLICATION': 'The application is not allowed or its password is wrong.',
  'UNKNOWN SUBSCRIBER': 'There is no such subscription.',
  'ABSENT SUBSCRIBER': 'The device cannot be reached.',
  'POSITION METHOD FAILURE': 'The position could not be obtained.',
  TIMEOUT: 'The timer for the requested event trigger expired.',
  'CONGESTION IN LOCATION SERVER': 'The location server is congested.',
  'UNSUPPORTED VERSION': 'The protocol version is not supported.',
  'TOO MANY POSITION ITEMS': 'The request holds too many position items.',
  'FORMAT ERROR': 'An element has an invalid format; ADD_INFO names it.',
  'SYNTAX ERROR': 'The request has a syntax error.',
  'PROTOCOL ELEMENT NOT SUPPORTED': 'A protocol element is not supported.',
  'SERVICE NOT SUPPORTED': 'The service is not supported.',
  'PROTOCOL ELEMENT ATTRIBUTE NOT SUPPORTED': 'An attribute of a protocol element is not supported.',
  'INVALID PROTOCOL ELEMENT VALUE': 'A protocol element has an invalid value.',
  'INVALID PROTOCOL ELEMENT ATTRIBUTE VALUE': 'An attribute of a protocol element has an invalid value.',
  'PROTOCOL ELEMENT VALUE NOT SUPPORTED': 'The value of a protocol element is not supported.',
  'PROTOCOL ELEMENT ATTRIBUTE VALUE NOT SUPPORTED':
    'The value of an attribute of a protocol element is not supported.',
  'CANCELLATION OF TRIGGERED LOCATION REQUEST': 'The triggered location request was cancelled.',
  'QOP NOT ATTAINABLE': 'The requested quality of position cannot be attained.',
  'POSITIONING NOT ALLOWED': "The subscriber's privacy settings do not allow positioning.",
  'CONGESTION IN MOBILE NETWORK': 'The mobile network is congested.',
  'DISALLOWED BY LOCAL REGULATIONS': 'Local regulations do not allow positioning.',
  'MISCONFIGURATION OF LOCATION SERVER': 'The location server is misconfigured.',
  'TARGET MOVED TO NEW MSC/SGSN': 'The device moved to a new MSC or SGSN.',
  'STANDARD LOCATION REPORT SERVICE NOT SUPPORTED': 'The standard location report service is not supported.',
  'MLS CLIENT ERROR': 'The client of the mobile location service made an error.',
  'STANDARD LOCATION REPORT SERVICE NOT ACCEPTED': 'The standard location report service was not accepted.',
  'SUBSCRIBER ID IN STANDARD LOCATION REPORT SERVICE NOT VALID':
    'The subscriber ID in the standard location report service is not valid.',
  'INVALID SERVICE ID IN STANDARD LOCATION REPORT SERVICE':
    'The service ID in the standard location report service is invalid.',
};

const MARKED = new RegExp(`^${MARKER} `);
/** A type in the spelling of an installation with this prefix. */
export const spellDeviceError = (type: string, prefix: string): string => type.replace(MARKED, `${prefix} `);

/** The type in the spelling with the marker, whatever its prefix; undefined if it is unknown. */
export function parseDeviceErrorType(text: string): string | undefined {
  if (Object.hasOwn(DEVICE_ERRORS, text)) return text;
  const marked = text.replace(/^[A-Za-z][A-Za-z0-9]{0,15} /, `${MARKER} `);
  return Object.hasOwn(DEVICE_ERRORS, marked) ? marked : undefined;
}
