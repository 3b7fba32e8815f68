import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LineOrder } from '../../../src/features/network/index.ts';

type Order = Pick<LineOrder, 'orderId' | 'imsi' | 'wanted' | 'plan'>;

interface Told {
  /** Orders that it accepts with 202 and confirms after carrying them out. */
  readonly isLater: (order: Order) => boolean;
  /** Confirms an order. Returns false if no process answered; the system then repeats the confirmation. */
  readonly confirm: (orderId: string) => Promise<boolean>;
}

/** An event that happens once, at the n-th order after it is set. */
interface Interception {
  /** After the order was carried out: before or after the response. */
  readonly when: 'before' | 'behind';
  readonly nth: number;
  readonly run: () => Promise<void> | void;
}

/** An operator's system that carries out orders at once over HTTP and records their sequence. */
export interface ProvisioningSystem {
  readonly url: string;
  /** All orders that it carried out, including repeated ones. */
  readonly done: readonly Order[];
  /** Each line in its last ordered state. */
  readonly lines: ReadonlyMap<string, Pick<Order, 'wanted' | 'plan'>>;
  /** Holds orders until it is opened. It then drops those whose sender has died. */
  close(): void;
  open(): void;
  intercept(interception: Interception | undefined): void;
}

const CONFIRM_AGAIN_MS = 100;

/** Undefined if the sender died before the body was complete. */
async function read(request: IncomingMessage): Promise<unknown> {
  try {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    return undefined;
  }
}

const answer = (response: ServerResponse, status: number, body: object = {}) =>
  new Promise<void>((resolve) => {
    // The sender may have died.
    response.once('close', resolve).once('error', () => resolve());
    response.writeHead(status).end(JSON.stringify(body), () => resolve());
  });

/** Closed when the file ends. */
export async function startProvisioningSystem({ isLater, confirm }: Told): Promise<ProvisioningSystem> {
  const done: Order[] = [];
  const lines = new Map<string, Pick<Order, 'wanted' | 'plan'>>();
  const confirmed = new Set<string>();
  const over = new AbortController();
  let interception: Interception | undefined;
  let count = 0;
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const confirmLater = async (orderId: string) => {
    if (confirmed.has(orderId)) return;
    confirmed.add(orderId);
    while (!over.signal.aborted && !(await confirm(orderId))) await sleep(CONFIRM_AGAIN_MS);
  };
  const interceptAt = (when: Interception['when'], nth: number) => {
    if (interception?.when !== when || nth < interception.nth) return undefined;
    const { run } = interception;
    interception = undefined;
    return run();
  };
  const carryOut = async (order: Order, request: IncomingMessage, response: ServerResponse) => {
    await gate.promise;
    if (request.socket.destroyed) return;
    const { orderId, imsi, wanted, plan } = order;
    done.push({ orderId, imsi, wanted, ...(plan !== undefined && { plan }) });
    lines.set(imsi, { wanted, ...(plan !== undefined && { plan }) });
    const nth = ++count;
    await interceptAt('before', nth);
    const later = isLater(order);
    await answer(response, later ? 202 : 200);
    await interceptAt('behind', nth);
    if (later) await confirmLater(orderId);
  };
  const tell = (asked: { lines: readonly { imsi: string }[] }, response: ServerResponse) =>
    answer(response, 200, { states: asked.lines.map(({ imsi }) => lines.get(imsi)?.wanted ?? 'unknown') });
  const server = createServer(async (request, response) => {
    const body = await read(request);
    if (body === undefined) return;
    // The service's checks query lines now and then.
    if (request.url?.endsWith('/states')) await tell(body as Parameters<typeof tell>[0], response);
    else await carryOut(body as Order, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    over.abort();
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/lines`,
    done,
    lines,
    close() {
      gate.resolve();
      gate = Promise.withResolvers();
    },
    open: () => gate.resolve(),
    intercept(next) {
      [interception, count] = [next, 0];
    },
  };
}
