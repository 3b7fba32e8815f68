import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT, asUser, SMALL_FLEET, USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { LineOrder, LineThere, NetworkElement, OrderOutcome, WantedState } from '../port.ts';

export const PROFILE = '9000001';
export const imei = (n: number) => `9977000000${String(n).padStart(5, '0')}`;
export const imsi = (n: number) => `31148000000${String(n).padStart(4, '0')}`;
export const byImei = (...numbers: number[]) =>
  numbers.map((n) => ({ deviceIds: [{ id: imei(n), kind: 'IMEI' }] }));

export const lineOf = (n: number, more: object = {}) => ({
  accountName: ACCOUNT,
  imei: imei(n),
  imsi: imsi(n),
  servicePlan: 'P-5MB',
  ...more,
});

/** An element that keeps lines in memory and answers as set by the test. */
export function makeElement(name: string, { batchMax = 100 }: { batchMax?: number } = {}) {
  const lines = new Map<string, LineThere & { state: WantedState; plan: string | undefined }>();
  const orders: LineOrder[] = [];
  let answer: (order: LineOrder) => OrderOutcome = () => ({ outcome: 'done' });
  let beforeRead = async () => {};
  const element: NetworkElement = {
    name,
    kind: 'test',
    batchMax,
    carryOut: async (batch) =>
      batch.map((order) => {
        orders.push(order);
        const result = answer(order);
        const { imsi: id, msisdn, imei: terminal, iccid, wanted, plan } = order;
        if (result.outcome === 'done') lines.set(id, { state: wanted, plan, msisdn, imei: terminal, iccid });
        return result;
      }),
    async read(asked) {
      await beforeRead();
      return asked.map(({ imsi: id }) => lines.get(id) ?? { state: 'unknown' });
    },
    close: async () => {},
  };
  return {
    element,
    lines,
    orders,
    answers(how: typeof answer | OrderOutcome) {
      answer = typeof how === 'function' ? how : () => how;
    },
    /** Called when the element is asked for lines, before it answers. */
    beforeRead(hook: typeof beforeRead) {
      beforeRead = hook;
    },
  };
}

export type TestElement = ReturnType<typeof makeElement>;

export const silent: OrderOutcome = { outcome: 'failed', reason: 'does not answer' };

interface SceneOptions {
  readonly elements: readonly {
    readonly of: TestElement;
    readonly afterwards?: boolean;
    readonly imsi?: string[];
    readonly accounts?: string[];
  }[];
  readonly devices: readonly object[];
  readonly maxAgeMs?: number;
}

const PLANS = [...SMALL_FLEET.plans, { code: 'P-50MB', name: '50 MB', kind: 'payAsYouGo' }];

/** A world whose lines are served by these elements. */
export async function makeNetworkScene({ elements, devices, maxAgeMs = 3_600_000 }: SceneOptions) {
  const world = await makeWorld({
    settings: { orderMaxAgeMs: maxAgeMs },
    elements: {
      served: elements.map(({ of, afterwards = false, ...served }) => ({
        ...served,
        name: of.element.name,
        element: of.element,
        afterwards,
      })),
      openMs: 1,
    },
  });
  await world.import({
    ...SMALL_FLEET,
    users: [{ ...USER, accounts: [ACCOUNT] }, ...SMALL_FLEET.users.slice(1)],
    plans: PLANS,
    devices,
  });
  const { db } = world.ctx;
  const ask = async (action: string, body: object): Promise<string> => {
    const answer = await (await asUser(world)).call('POST', `/m2m/v1/devices/${action}`, body);
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json().requestId;
  };
  /** Runs the workers until nothing is due. */
  const settle = async () => {
    for (let n = 0; n < 20; n++) {
      await world.engine.settle();
      await world.orders?.settle();
      const { open } = await db.one<{ open: number }>(sql`
        select (select count(*) from network_order where state = 'waiting' and due_at <= statement_timestamp())::int
          + (select count(*) from job where state = 'waiting' and due_at <= ${world.ctx.now()})::int as open`);
      if (open === 0) return;
    }
  };
  const states = async () =>
    new Map(
      (
        await db.many<{ imsi: string; state: string; plan: string }>(
          sql`select imsi, state, service_plan as plan from device where ecpd_id = ${PROFILE} and imsi is not null`,
        )
      ).map(({ imsi: id, state, plan }) => [id, { state, plan }]),
    );
  const callbacksOf = async (requestId: string) =>
    (
      await db.many<{ payload: string }>(
        sql`select payload from callback_message where request_id = ${requestId} order by created_at, message_id`,
      )
    ).map(({ payload }) => JSON.parse(payload));
  const progress = async (requestId: string) =>
    (await asUser(world)).call('GET', `/m2m/v1/accounts/${ACCOUNT}/requests/${requestId}/status`);
  const orders = () =>
    db.many<{
      element: string;
      imsi: string;
      nr: bigint;
      wanted: string;
      state: string;
      cause: string;
      reason: string | null;
      attempts: number;
    }>(
      sql`select element, imsi, nr, wanted, state, cause, reason, attempts from network_order where ecpd_id = ${PROFILE} order by element, imsi, nr`,
    );
  /** Ages open orders by this much. */
  const age = async (ms: number) => {
    const open = await db.many<{ id: string; dueAt: Date; expiresAt: Date }>(sql`
      select order_id as id, due_at as "dueAt", expires_at as "expiresAt" from network_order
      where ecpd_id = ${PROFILE} and closed_at is null`);
    const aged = (of: (order: (typeof open)[number]) => Date) =>
      open.map((order) => new Date(of(order).getTime() - ms).toISOString());
    await db.exec(sql`
      update network_order o set due_at = t.due_at, expires_at = t.expires_at
      from unnest(${open.map(({ id }) => id)}::uuid[], ${aged(({ dueAt }) => dueAt)}::timestamptz[],
        ${aged(({ expiresAt }) => expiresAt)}::timestamptz[]) as t (order_id, due_at, expires_at)
      where o.ecpd_id = ${PROFILE} and o.order_id = t.order_id and o.closed_at is null`);
  };
  /** Polls until it is true, while the workers run on their own. */
  const until = async (is: () => Promise<boolean>) => {
    for (let n = 0; n < 600 && !(await is()); n++) await sleep(50);
    assert.ok(await is());
  };
  return { world, db, ask, settle, states, callbacksOf, progress, orders, age, until };
}
