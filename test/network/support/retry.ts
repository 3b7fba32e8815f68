import { setTimeout as sleep } from 'node:timers/promises';
import type { LineOrder, NetworkElement } from '../../../src/features/network/index.ts';
import { unstopped } from './lines.ts';

const PAUSE_MS = 50;
const LIMIT_MS = 300_000;

/** The order engine in a few lines: sends batches, and sends failed orders again until all are done. */
export async function retryUntilDone(
  element: NetworkElement,
  orders: readonly LineOrder[],
  retries = { count: 0 },
): Promise<void> {
  const until = performance.now() + LIMIT_MS;
  let open = [...orders];
  while (open.length > 0) {
    if (performance.now() > until) throw new Error(`${open.length} orders are not done`);
    const batch = open.slice(0, element.batchMax);
    const outcomes = await element.carryOut(batch, unstopped());
    const failed = batch.filter((_, n) => outcomes[n]?.outcome !== 'done');
    open = [...open.slice(batch.length), ...failed];
    retries.count += failed.length;
    if (failed.length > 0) await sleep(PAUSE_MS);
  }
}
