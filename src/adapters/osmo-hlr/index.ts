import type {
  LineIds,
  LineOrder,
  LineTruth,
  NetworkElement,
  OrderOutcome,
} from '../../features/network/index.ts';
import { socketAddressOf } from '../../kernel/socket-address.ts';
import { type CtrlClient, CtrlFailed, createCtrlClient } from './client.ts';
import type { CtrlLimits } from './connection.ts';
import { createSubscribers } from './subscribers.ts';

export interface OsmoHlrSettings extends Partial<CtrlLimits> {
  readonly name: string;
  /** The address of its control interface, such as `127.0.0.1:4259`. */
  readonly address: string;
  readonly batchMax?: number;
}

const IN_FLIGHT_MAX = 64;
const DEFAULTS: CtrlLimits = {
  connectMs: 5_000,
  answerMs: 5_000,
  inFlightMax: IN_FLIGHT_MAX,
  unreadMax: IN_FLIGHT_MAX,
  abandonMs: 300_000,
};
const BATCH_MAX = 500;
/** Orders in progress per allowed command, so that one is always ready when an answer arrives. */
const ORDERS_PER_COMMAND = 4;

/** Works through a list, `atOnce` items at a time, and returns results in its order. */
async function inOrder<In, Out>(items: readonly In[], atOnce: number, work: (item: In) => Promise<Out>) {
  const results = new Array<Out>(items.length);
  const entries = items.entries();
  await Promise.all(
    Array.from({ length: Math.min(atOnce, items.length) }, async () => {
      for (const [n, item] of entries) results[n] = await work(item);
    }),
  );
  return results;
}

/** Ends when the signal aborts, even if work is still in progress. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal, otherwise: () => T): Promise<T> {
  if (signal.aborted) return otherwise();
  const { promise, resolve } = Promise.withResolvers<T>();
  const stop = () => resolve(otherwise());
  signal.addEventListener('abort', stop, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop));
}

const reasonOf = (error: unknown): string => {
  if (error instanceof CtrlFailed) return error.message;
  throw error;
};

/** A home location register, used over its control interface. */
export function createOsmoHlr(
  { name, address, batchMax = BATCH_MAX, ...tuning }: OsmoHlrSettings,
  client: CtrlClient = createCtrlClient(socketAddressOf(address), { ...DEFAULTS, ...tuning }),
): NetworkElement {
  const atOnce = tuning.inFlightMax ?? DEFAULTS.inFlightMax;
  const subscribers = createSubscribers(client);
  const carryOutOne = (order: LineOrder, signal: AbortSignal): Promise<OrderOutcome> =>
    subscribers
      .bring(order, signal)
      .catch((error: unknown) => ({ outcome: 'failed', reason: reasonOf(error) }) as const);
  const readOne = ({ imsi }: LineIds, signal: AbortSignal): Promise<LineTruth> =>
    subscribers.stateOf(imsi, signal).catch((error: unknown) => void reasonOf(error));

  return {
    name,
    kind: 'osmo-hlr',
    batchMax,
    carryOut: (orders, signal) =>
      untilAborted(
        inOrder(orders, atOnce * ORDERS_PER_COMMAND, (order) => carryOutOne(order, signal)),
        signal,
        () => orders.map(() => ({ outcome: 'failed', reason: 'stopped' }) as const),
      ),
    read: (lines, signal) =>
      untilAborted(
        inOrder(lines, atOnce, (line) => readOne(line, signal)),
        signal,
        () => lines.map(() => undefined),
      ),
    async close() {
      client.close();
    },
  };
}
