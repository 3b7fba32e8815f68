/** Why a call was refused, and where the refusal is documented. */
export interface Reason {
  readonly code: string;
  readonly message: string;
  readonly detail?: string;
  /** A link into the documentation. */
  readonly rule?: string;
}

export interface Caller {
  readonly kind: 'operator' | 'user' | 'client';
  readonly name: string;
}

/** One call of the API, with secrets not yet hidden. */
export interface Call {
  readonly at: Date;
  readonly requestId: string;
  readonly operation: string | null;
  readonly method: string;
  /** Without the base path. */
  readonly path: string;
  /** Null if the call got no answer. */
  readonly status: number | null;
  readonly durationMs: number;
  readonly caller: Caller | null;
  /** Set if the call belongs to one account. */
  readonly accountName: string | undefined;
  /** Set if it belongs to one profile. */
  readonly ecpdId: string | undefined;
  readonly request: string | undefined;
  readonly answer: string | undefined;
  readonly reason: Reason | undefined;
  readonly injected: object | undefined;
}

/** The devices whose positions an answer contains: their ids, and how the answer names them. */
export interface Located {
  /** Undefined if the call does not state it. */
  readonly accuracy?: 'coarse' | 'precise';
  readonly devices: Readonly<Record<string, string>>;
}

/** The parts of a call that may be stored. */
export interface KeptCall extends Omit<Call, 'accountName' | 'ecpdId'> {
  readonly id: string;
  readonly ecpdId: string;
  readonly accountName: string | null;
  readonly located: Located | null;
}

/** Stands for the profile of calls that belong to none. */
export const NOBODY = '';
