/** The state a customer ordered for a line: in service with this plan, suspended, or deleted for good. */
export type WantedState = 'active' | 'suspended' | 'gone';

/** The ids by which a network knows a line. */
export interface LineIds {
  /** At most fifteen digits. Elements identify a line by it. */
  readonly imsi: string;
  /** With its country code, without a plus sign. */
  readonly msisdn?: string;
  readonly imei?: string;
  readonly iccid?: string;
}

/** Brings one line into a state on one element. An element that has already done a repeated order answers `done`. */
export interface LineOrder extends LineIds {
  readonly orderId: string;
  /** Grows with each order for the line: if two arrive out of order, the greater number is newer. */
  readonly sequence: number;
  readonly accountName: string;
  readonly wanted: WantedState;
  /** The plan of an active line. */
  readonly plan?: string;
}

/**
 * `done`: the line is as ordered. `later`: taken; a call to the operator API confirms it. `refused`: a retry would be
 * refused too. `failed`: not possible now; it is tried again.
 */
export type OrderOutcome =
  | { readonly outcome: 'done' | 'later' }
  | { readonly outcome: 'refused' | 'failed'; readonly reason: string };

/** A line as an element has it. What the element does not hold, or does not tell, is absent; null if it has none. */
export interface LineThere {
  readonly state: WantedState | 'unknown';
  readonly msisdn?: string | null | undefined;
  readonly imei?: string | null | undefined;
  readonly iccid?: string | null | undefined;
  /** Of an active line. */
  readonly plan?: string | null | undefined;
}

/** Undefined if the element could not tell. */
export type LineTruth = LineThere | undefined;

/** One network element. Every call ends on its own: no answer counts as `failed`, or undefined. No call rejects. */
export interface NetworkElement {
  readonly name: string;
  readonly kind: string;
  /** How many orders one call may carry. */
  readonly batchMax: number;
  /** Returns one outcome per order, in the same order. */
  carryOut(orders: readonly LineOrder[], signal: AbortSignal): Promise<readonly OrderOutcome[]>;
  /** Returns one entry per line, in the same order. An element without a register of lines has no such call. */
  readonly read?: (lines: readonly LineIds[], signal: AbortSignal) => Promise<readonly LineTruth[]>;
  close(): Promise<void>;
}
