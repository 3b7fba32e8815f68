import type { LineOrder, WantedState } from '../../../src/features/network/port.ts';

/** In the test network 001/01. */
export const imsiOf = (n: number): string => `00101${String(n).padStart(10, '0')}`;
export const msisdnOf = (n: number): string => `1555${String(n).padStart(7, '0')}`;

let orders = 0;

export const orderFor = (n: number, wanted: WantedState, more: Partial<LineOrder> = {}): LineOrder => ({
  orderId: `order-${++orders}`,
  sequence: orders,
  accountName: '0000123456-00001',
  imsi: imsiOf(n),
  msisdn: msisdnOf(n),
  wanted,
  ...more,
});

export const ordersFor = (from: number, to: number, wanted: WantedState): LineOrder[] =>
  Array.from({ length: to - from }, (_, n) => orderFor(from + n, wanted));

/** The signal of a call that is never stopped. */
export const unstopped = (): AbortSignal => new AbortController().signal;
