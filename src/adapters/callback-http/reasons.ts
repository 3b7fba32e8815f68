/** All reasons for a missing answer, as recorded with the attempt or shown to users who register a listener. */
const REASONS = [
  'address is not valid',
  'address is too long',
  'address carries credentials',
  'address is not allowed',
  'port is not allowed',
  'name does not lead to an allowed address',
  'connection refused',
  'host is not reachable',
  'certificate is self-signed',
  'certificate has expired',
  'certificate is not valid yet',
  'certificate is for another host',
  'certificate is not trusted',
  'connection reset',
  'protocol error',
  'too many open connections',
  'stopped',
] as const;
export type Reason = (typeof REASONS)[number] | `${'could not connect' | 'no answer'} in ${number} s`;

export const isTimeOut = (reason: Reason): boolean =>
  reason.startsWith('could not connect in ') || reason.startsWith('no answer in ');

/** Codes of Node and OpenSSL. Any other code means an answer that is not HTTP, or not TLS. */
const BY_CODE: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'host is not reachable',
  ENETUNREACH: 'host is not reachable',
  EHOSTDOWN: 'host is not reachable',
  ENETDOWN: 'host is not reachable',
  EADDRNOTAVAIL: 'host is not reachable',
  EACCES: 'host is not reachable',
  EPERM: 'host is not reachable',
  ETIMEDOUT: 'could not connect in 5 s',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate is self-signed',
  CERT_HAS_EXPIRED: 'certificate has expired',
  CERT_NOT_YET_VALID: 'certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is for another host',
  HOSTNAME_MISMATCH: 'certificate is for another host',
  ECONNRESET: 'connection reset',
  ECONNABORTED: 'connection reset',
  EPIPE: 'connection reset',
  EMFILE: 'too many open connections',
  ENFILE: 'too many open connections',
  ENOBUFS: 'too many open connections',
};

/** An error with a known reason. */
export class Refusal extends Error {
  readonly reason: Reason;
  constructor(reason: Reason) {
    super(reason);
    this.reason = reason;
  }
}

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '');

/** If several addresses failed, one that refused says more than one that was not reachable. */
function reasonOfMany(error: AggregateError): Reason {
  const reasons = error.errors.map((each: Error) => reasonOf(each));
  return reasons.find((reason) => reason === 'connection refused') ?? reasons[0] ?? 'protocol error';
}

export function reasonOf(error: Error): Reason {
  if (error instanceof Refusal) return error.reason;
  if (error instanceof AggregateError) return reasonOfMany(error);
  return BY_CODE[codeOf(error)] ?? 'protocol error';
}

/** For a rejected certificate: OpenSSL has dozens of codes, and most of them mean the same to people. */
export function certificateReason(error: Error): Reason {
  const reason = BY_CODE[codeOf(error)];
  return reason?.startsWith('certificate') ? reason : 'certificate is not trusted';
}
