/** Why a call was refused, and where that is written down. */
export interface Reason {
  readonly code: string;
  readonly message: string;
  readonly detail?: string;
  /** A place in the documentation. */
  readonly rule?: string;
}

export interface Caller {
  readonly kind: 'operator' | 'user' | 'client';
  readonly name: string;
}

/** One call of the API, as it was: nothing is hidden yet. */
export interface Call {
  readonly at: Date;
  readonly requestId: string;
  readonly operation: string | null;
  readonly method: string;
  /** Without the base path. */
  readonly path: string;
  /** Null where nothing was answered. */
  readonly status: number | null;
  readonly durationMs: number;
  readonly caller: Caller | null;
  /** Of one account, of one profile, or of nobody. */
  readonly accountName: string | undefined;
  readonly ecpdId: string | undefined;
  readonly request: string | undefined;
  readonly answer: string | undefined;
  readonly reason: Reason | undefined;
  readonly injected: object | undefined;
}

/** Whose positions an answer has: device ids, and how the answer names them. */
export interface Located {
  /** Undefined where the call does not say it. */
  readonly accuracy?: 'coarse' | 'precise';
  readonly devices: Readonly<Record<string, string>>;
}

/** What may be kept of a call. */
export interface KeptCall extends Omit<Call, 'accountName' | 'ecpdId'> {
  readonly id: string;
  readonly ecpdId: string;
  readonly accountName: string | null;
  readonly located: Located | null;
}

/** The profile of what belongs to nobody. */
export const NOBODY = '';
