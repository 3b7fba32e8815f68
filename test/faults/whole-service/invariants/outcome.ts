import pg from 'pg';
import type { Scene } from '../scene.ts';
import { TENANTS } from '../tenants.ts';
import type { Diary } from '../workload/diary.ts';

export interface Delivery {
  readonly id: string;
  readonly requestId: string;
  readonly accountName: string;
  readonly serviceName: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly payload: Record<string, unknown>;
  readonly attempts: readonly {
    readonly at: string;
    readonly attempt: number;
    readonly status: number | null;
    readonly error: string | null;
    readonly latencyMs: number;
  }[];
}

export interface Firing {
  readonly firingId: string;
  readonly triggerId: string;
  readonly kind: 'usage' | 'pricePlan';
  readonly subject: string;
  readonly level: number;
  readonly cycle: { readonly from: string };
  readonly actions: readonly { readonly state: string; readonly requestIds: readonly string[] }[];
}

/** What the service shows after all work has ended. */
export interface Outcome {
  readonly scene: Scene;
  readonly diary: Diary;
  /** By the id of their request, from the operator API. */
  readonly deliveries: ReadonlyMap<string, readonly Delivery[]>;
  /** By tenant. */
  readonly firings: ReadonlyMap<number, readonly Firing[]>;
  /** The number of messages of each account and service: the interface lists only those of one request. */
  readonly messages: ReadonlyMap<string, number>;
}

const AT_ONCE = 8;

async function inParallel<T, R>(list: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async () => {
    while (next < list.length) {
      const n = next++;
      results[n] = await work(list[n]!);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}

/** Lists every message, whatever its request: no list of the interface has them all. */
async function listMessages(databaseUrl: string): Promise<{ lane: string; requestId: string }[]> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    options: '-c default_transaction_read_only=on',
  });
  await client.connect();
  try {
    const { rows } = await client.query<{ lane: string; requestId: string }>(
      `select account_name || '/' || service_name as lane, request_id as "requestId" from callback_message`,
    );
    return rows;
  } finally {
    await client.end();
  }
}

export async function readOutcome(scene: Scene, diary: Diary): Promise<Outcome> {
  const get = async (path: string) =>
    (await scene.client.operator({ method: 'GET', path: `/operator/v1${path}` })).json;
  const firings = new Map<number, Firing[]>();
  for (const { n, accountName } of TENANTS)
    firings.set(n, await get(`/firings?accountName=${accountName}&limit=1000`));
  const fired = [...firings.values()].flat();
  const messages = await listMessages(scene.database.url);
  const requestIds = [
    ...diary.taken.map(({ requestId }) => requestId),
    ...fired.flatMap(({ firingId, actions }) => [firingId, ...actions.flatMap(({ requestIds: ids }) => ids)]),
    ...messages.map(({ requestId }) => requestId),
  ];
  const deliveries = await inParallel([...new Set(requestIds)], async (requestId) => {
    const found: Delivery[] = await get(`/callbacks?requestId=${requestId}&limit=1000`);
    return [requestId, found] as const;
  });
  return {
    scene,
    diary,
    deliveries: new Map(deliveries),
    firings,
    messages: new Map(
      [...Map.groupBy(messages, ({ lane }) => lane)].map(([lane, { length }]) => [lane, length]),
    ),
  };
}
