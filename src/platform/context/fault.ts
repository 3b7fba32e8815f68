/** One row of an error catalogue: the message for the caller, and the status. */
export interface FaultKind {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

export interface FaultDetail {
  /** Public: appended to the message after a colon, if the words of the catalogue alone would not help. */
  readonly reason?: string;
  /** Public: only the identifiers at fault, as the caller sent them; some of them are appended to the message. */
  readonly named?: readonly string[];
  /** Public: the field or object at fault, for the areas that name it. */
  readonly cause?: string;
  /** Public: extra response headers, such as Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Public: more members of the body, for the areas whose format has them. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** For the log only. */
  readonly log?: Readonly<Record<string, unknown>>;
}

/** An expected refusal. The code that throws it does not know how the area formats it on the wire. */
export class Fault extends Error {
  readonly kind: FaultKind;
  readonly detail: FaultDetail;
  constructor(kind: FaultKind, detail: FaultDetail = {}, options?: ErrorOptions) {
    super(kind.message, options);
    this.name = 'Fault';
    this.kind = kind;
    this.detail = detail;
  }
}

export const fault = (status: number, code: string, message: string): FaultKind => ({
  status,
  code,
  message,
});

export const defineFaults = <K extends string>(rows: Record<K, FaultKind>): Readonly<Record<K, FaultKind>> =>
  Object.freeze(rows);

/** Rows whose codes begin with the name of a service: for wrong input, and for a failed request. */
export const faultsOf = (service: string) => ({
  invalid: (detail: string, message: string): FaultKind => ({
    status: 400,
    code: `${service}.INPUT_INVALID.${detail}`,
    message,
  }),
  failed: (detail: string, message: string): FaultKind => ({
    status: 400,
    code: `${service}.REQUEST_FAILED.${detail}`,
    message,
  }),
});

export function refuse(kind: FaultKind, detail?: FaultDetail): never {
  throw new Fault(kind, detail);
}
