/** What a customer has ordered for a line: in service with this plan, out of service for a while, or gone for good. */
export type WantedState = 'active' | 'suspended' | 'gone';

/** How a network knows a line. */
export interface LineIds {
  /** Fifteen digits at most. Elements find a line by it. */
  readonly imsi: string;
  /** With its country code, without a plus sign. */
  readonly msisdn?: string;
  readonly imei?: string;
  readonly iccid?: string;
}

/** Brings one line into a state, on one element. The same order may come again: an element that has done it says so. */
export interface LineOrder extends LineIds {
  readonly orderId: string;
  /** Grows with each order for the line: of two that come out of order, the greater is the newer. */
  readonly sequence: number;
  readonly accountName: string;
  readonly wanted: WantedState;
  /** The plan of an active line. */
  readonly plan?: string;
}

/**
 * `done`: the line is as wanted. `later`: taken, and confirmed by a call to the operator API. `refused`: another try would be
 * refused too. `failed`: not now; it is tried again.
 */
export type OrderOutcome =
  | { readonly outcome: 'done' | 'later' }
  | { readonly outcome: 'refused' | 'failed'; readonly reason: string };

/** What an element says of a line; undefined where it could not say. */
export type LineTruth = WantedState | 'unknown' | undefined;

/** One network element. Each call ends by itself: what does not answer is `failed`, or undefined. Nothing rejects. */
export interface NetworkElement {
  readonly name: string;
  readonly kind: string;
  /** How many orders it takes at once. */
  readonly batchMax: number;
  /** Answers for each order, in their order. */
  carryOut(orders: readonly LineOrder[], signal: AbortSignal): Promise<readonly OrderOutcome[]>;
  /** Answers for each line, in their order. An element that holds no lines of its own has no such call. */
  readonly read?: (lines: readonly LineIds[], signal: AbortSignal) => Promise<readonly LineTruth[]>;
  close(): Promise<void>;
}
