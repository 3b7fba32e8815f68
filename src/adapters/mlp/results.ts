import type { DeviceFailure } from '../../features/locations/index.ts';

/** The interface's error types by the result numbers of MLP. */
const TYPES: Readonly<Record<number, string>> = {
  1: 'SYSTEM FAILURE',
  2: 'UNSPECIFIED ERROR',
  3: 'UNAUTHORIZED APPLICATION',
  4: 'UNKNOWN SUBSCRIBER',
  5: 'ABSENT SUBSCRIBER',
  6: 'POSITION METHOD FAILURE',
  7: 'TIMEOUT',
  101: 'CONGESTION IN LOCATION SERVER',
  103: 'UNSUPPORTED VERSION',
  104: 'TOO MANY POSITION ITEMS',
  105: 'FORMAT ERROR',
  106: 'SYNTAX ERROR',
  107: 'PROTOCOL ELEMENT NOT SUPPORTED',
  108: 'SERVICE NOT SUPPORTED',
  109: 'PROTOCOL ELEMENT ATTRIBUTE NOT SUPPORTED',
  110: 'INVALID PROTOCOL ELEMENT VALUE',
  111: 'INVALID PROTOCOL ELEMENT ATTRIBUTE VALUE',
  112: 'PROTOCOL ELEMENT VALUE NOT SUPPORTED',
  113: 'PROTOCOL ELEMENT ATTRIBUTE VALUE NOT SUPPORTED',
  114: 'CANCELLATION OF TRIGGERED LOCATION REQUEST',
  115: 'UNSPECIFIED ERROR',
  116: 'SERVICE NOT SUPPORTED',
  117: 'UNSPECIFIED ERROR',
  201: 'QOP NOT ATTAINABLE',
  202: 'POSITIONING NOT ALLOWED',
  203: 'CONGESTION IN MOBILE NETWORK',
  204: 'DISALLOWED BY LOCAL REGULATIONS',
  207: 'MISCONFIGURATION OF LOCATION SERVER',
  208: 'TARGET MOVED TO NEW MSC/SGSN',
  601: 'STANDARD LOCATION REPORT SERVICE NOT SUPPORTED',
  602: 'MLS CLIENT ERROR',
  603: 'STANDARD LOCATION REPORT SERVICE NOT ACCEPTED',
  604: 'SUBSCRIBER ID IN STANDARD LOCATION REPORT SERVICE NOT VALID',
  605: 'INVALID SERVICE ID IN STANDARD LOCATION REPORT SERVICE',
};

const OTHER = 'UNSPECIFIED ERROR';
const SLOGANS = new Set(Object.values(TYPES));
/** MLP's words for 604. */
const SPELLED: Readonly<Record<string, string>> = {
  'SUBSCRIBER IN STANDARD LOCATION REPORT SERVICE NOT VALID': TYPES[604]!,
};

export interface Result {
  readonly resid: string | undefined;
  readonly slogan: string;
  readonly addInfo: string | undefined;
}

export const TOO_MANY: DeviceFailure['type'] = TYPES[104]!;

export const isOk = ({ resid }: Result): boolean => resid === '0';

/** Uses the number, because the words of servers vary; uses the words if the number is not known. */
export function failureOf({ resid, slogan, addInfo }: Result): DeviceFailure {
  const said = slogan.trim().replaceAll(/\s+/g, ' ').toUpperCase();
  const byNumber = /^\d{1,3}$/.test(resid ?? '') ? TYPES[Number(resid)] : undefined;
  const byWords = SPELLED[said] ?? (SLOGANS.has(said) ? said : undefined);
  const type = byNumber ?? byWords ?? OTHER;
  const words = type === OTHER && said !== OTHER ? slogan.trim() : '';
  const info = [words, addInfo?.trim() ?? ''].filter((text) => text !== '').join(': ');
  return info === '' ? { type } : { type, info };
}
