import assert from 'node:assert/strict';
import { sql } from '../../../src/platform/db/sql.ts';
import { until } from '../../support/service-crew.ts';
import type { World } from '../../support/world.ts';
import type { ProvisioningSystem } from './provisioning-system.ts';

/** The element's state for a line in this state of the service. */
export const THERE: Readonly<Record<string, string>> = {
  active: 'active',
  suspend: 'suspended',
  deactive: 'gone',
};

interface OrderRow {
  readonly orderId: string;
  readonly element: string;
  readonly imsi: string;
  readonly nr: number;
  readonly state: string;
}

/** Reads orders, lines, requests and callbacks from the tables. */
export function openLedger({ ctx: { db } }: World) {
  return {
    /** For debugging: how a line reached its state. */
    tellOfLine: async (imsi: string): Promise<string> =>
      (
        await db.many<{ line: string }>(sql`
          select o.element || ' ' || o.nr || ': ' || o.wanted || ' ' || coalesce(o.plan, '') || ' for ' || o.cause || ' '
            || coalesce(r.operation || ' (' || r.status || ')', '') || ' is ' || o.state || ' ' || coalesce(o.reason, '')
            || ', ' || o.created_at::time || ' to ' || coalesce(o.closed_at::time::text, '') as line
          from network_order o left join carrier_request r on r.ecpd_id = o.ecpd_id and r.request_id = o.change_id
          where o.imsi = ${imsi} order by o.created_at, o.element, o.nr`)
      )
        .map(({ line }) => line)
        .join('\n'),
    listOrders: () =>
      db.many<OrderRow>(sql`
        select order_id as "orderId", element, imsi, nr::float8 as nr, state from network_order order by element, imsi, nr`),
    countOpen: async (requestIds: readonly string[]): Promise<number> =>
      (
        await db.one<{ n: number }>(sql`
          select count(*)::int as n from carrier_request
          where request_id = any(${requestIds}::uuid[]) and status = 'Pending'`)
      ).n,
    /** Counts the orders, confirmations and callbacks of these requests. */
    progress: (requestIds: readonly string[]) =>
      db.one<{ ordered: number; recorded: number; told: number }>(sql`
        select (select count(*)::int from network_order where change_id = any(${requestIds}::uuid[])) as ordered,
          (select count(*)::int from network_order
            where change_id = any(${requestIds}::uuid[]) and state = 'done') as recorded,
          (select count(*)::int from callback_message where request_id = any(${requestIds}::text[])) as told`),
    listRequests: (requestIds: readonly string[]) =>
      db.many<{ requestId: string; status: string; devices: number; told: number; devicesTold: number }>(sql`
        select r.request_id as "requestId", r.status, r.device_count as devices, count(m.message_id)::int as told,
          count(distinct m.payload::jsonb->'deviceIds'->0->>'id')::int as "devicesTold"
        from carrier_request r left join callback_message m on m.request_id = r.request_id::text
        where r.request_id = any(${requestIds}::uuid[])
        group by r.ecpd_id, r.request_id`),
    listMessages: async (requestIds: readonly string[]): Promise<readonly string[]> =>
      (
        await db.many<{ id: string }>(sql`
          select message_id as id from callback_message where request_id = any(${requestIds}::text[])`)
      ).map(({ id }) => id),
    listLines: () =>
      db.many<{ imsi: string; state: string; plan: string }>(sql`
        select imsi, state, service_plan as plan from device where imsi is not null order by imsi`),
    /** Whether these requests have ended, with no open orders. */
    async untilNothingIsOrdered(requestIds: readonly string[]): Promise<void> {
      const listOpen = () =>
        db.many<Record<string, unknown>>(sql`
          select 'order' as what, o.element || ' ' || o.imsi || ' ' || o.nr || ' ' || o.state || ' ' || o.attempts || ' ' || o.cause
            || ' due in ' || (o.due_at - now()) || ' ' || coalesce(o.reason, '') as which
          from network_order o where o.closed_at is null
          union all
          select 'job', kind || ' ' || state || ' ' || attempts || ' ' || coalesce(last_error, '') from job
          where state in ('waiting', 'running') and kind = 'carrier-requests.confirm'
          union all
          select 'request', operation || ' ' || succeeded || ' + ' || failed || ' + ' || held || ' of ' || device_count
          from carrier_request where request_id = any(${requestIds}::uuid[]) and status = 'Pending'`);
      let open: Awaited<ReturnType<typeof listOpen>> = [];
      const isOver = async () => {
        open = await listOpen();
        return open.length === 0;
      };
      await until('it did not end', isOver, { seconds: 120, everyMs: 100 }).catch(() => {
        throw new Error(`something is left: ${JSON.stringify(open.slice(0, 10))}`);
      });
    },
  };
}

/**
 * Checks that an element carried out the orders of each line by number: it may repeat an order, but not after a newer one. It
 * carried out every order that is recorded as done, and nothing that was not ordered.
 */
export function checkSequence(name: string, { done }: ProvisioningSystem, orders: readonly OrderRow[]): void {
  const own = new Map(
    orders.filter(({ element }) => element === name).map((order) => [order.orderId, order]),
  );
  for (const [imsi, some] of Map.groupBy(done, (order) => order.imsi)) {
    const numbers = some.map(({ orderId }) => own.get(orderId)?.nr);
    assert.ok(!numbers.includes(undefined), `${name} did for ${imsi} what is in no table`);
    assert.deepEqual(
      numbers,
      (numbers as number[]).toSorted((a, b) => a - b),
      `${name} did an older order for ${imsi} after a newer one`,
    );
  }
  const carriedOut = new Set(done.map(({ orderId }) => orderId));
  const lost = [...own.values()].filter(({ orderId, state }) => state === 'done' && !carriedOut.has(orderId));
  assert.deepEqual(lost, [], `what ${name} is said to have done, and never heard of`);
}
