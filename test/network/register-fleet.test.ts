import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createOsmoHlr } from '../../src/adapters/osmo-hlr/index.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { ACCOUNT, asUser, SMALL_FLEET } from '../support/fleet.ts';
import { randomFor } from '../support/seeded-random.ts';
import { until } from '../support/service-crew.ts';
import { makeWorld } from '../support/world.ts';
import { imsiOf } from './support/lines.ts';
import { type RegisterLine, registerIsMissing, startRegister } from './support/register.ts';
import { makeTrouble } from './support/trouble.ts';

const LINES_EACH = 5_000;
const SEEDED_EACH = 100_000;
/** In each register, lines for which a newer request wants something else before the older one is confirmed. */
const CONTESTED_EACH = 250;
const TROUBLES = 5;
const LIMIT = { seconds: 240, everyMs: 250 };

/** The services of a line in this state in the register; a line that is gone has no entry. */
const SERVICES: Readonly<Record<string, boolean | undefined>> = { active: true, suspend: false };
const imeiOf = (n: number) => `99${String(n).padStart(13, '0')}`;
const range = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);

async function makeScene(t: TestContext) {
  const registers = await Promise.all([startRegister(), startRegister()]);
  t.after(() => Promise.all(registers.map((register) => register.remove())));
  for (const [n, register] of registers.entries()) {
    await register.kill();
    register.seed(range(n * SEEDED_EACH, SEEDED_EACH).map((line) => ({ imsi: imsiOf(line) })));
    await register.start();
  }
  const world = await makeWorld({
    runs: true,
    elements: {
      served: registers.map(({ address }, n) => {
        const name = `hlr-${n + 1}`;
        const [from, to] = [imsiOf(n * SEEDED_EACH), imsiOf((n + 1) * SEEDED_EACH - 1)];
        const element = createOsmoHlr({ name, address, connectMs: 2_000, answerMs: 2_000 });
        return { name, element, afterwards: false, imsi: [`${from}-${to}`] };
      }),
      openMs: 500,
    },
  });
  const lines = registers.flatMap((_, n) => range(n * SEEDED_EACH, LINES_EACH));
  await world.import({
    ...SMALL_FLEET,
    devices: lines.map((n) => ({
      ...{ accountName: ACCOUNT, imei: imeiOf(n), imsi: imsiOf(n), servicePlan: 'P-5MB' },
    })),
  });
  return { registers, world, lines };
}

type Scene = Awaited<ReturnType<typeof makeScene>>;

async function ask({ world }: Scene, action: string, lines: readonly number[]): Promise<string> {
  const devices = lines.map((n) => ({ deviceIds: [{ id: imeiOf(n), kind: 'imei' }] }));
  const more = action === 'deactivate' ? { etfWaiver: true, reasonCode: 'FF' } : {};
  const { call } = await asUser(world);
  const body = { accountName: ACCOUNT, devices, ...more };
  const answer = await call('POST', `/m2m/v1/devices/actions/${action}`, body);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().requestId;
}

const findRequest = ({ world }: Scene, requestId: string) =>
  world.ctx.db.one<{ status: string; succeeded: number; told: number; devicesTold: number }>(sql`
    select r.status, r.succeeded, count(m.message_id)::int as told,
      count(distinct m.payload::jsonb->'deviceIds'->0->>'id')::int as "devicesTold"
    from carrier_request r left join callback_message m on m.request_id = r.request_id::text
    where r.request_id = ${requestId} group by r.ecpd_id, r.request_id`);

/** Waits until every request has ended and no order is open. */
const untilDone = ({ world }: Scene) =>
  until(
    'requests or orders are left',
    async () =>
      (
        await world.ctx.db.one<{ open: boolean }>(sql`
          select exists (select 1 from carrier_request where status = 'Pending')
            or exists (select 1 from network_order where closed_at is null) as open`)
      ).open === false,
    LIMIT,
  );

/** The file of each register has its lines in the same state as here, and all other entries unchanged. */
async function checkRegisters({ world, registers, lines }: Scene): Promise<void> {
  const here = await world.ctx.db.many<{ imsi: string; state: string }>(
    sql`select imsi, state from device where imsi is not null`,
  );
  assert.equal(here.length, lines.length);
  const states = new Map(here.map(({ imsi, state }) => [imsi, state]));
  const there = new Map<string, RegisterLine>();
  for (const register of registers) for (const line of register.lines()) there.set(line.imsi, line);
  const wrong = range(0, registers.length * SEEDED_EACH).flatMap((n) => {
    const imsi = imsiOf(n);
    const wanted = SERVICES[states.get(imsi) ?? 'active'];
    const line = there.get(imsi);
    const isRight = line?.circuit === wanted && line?.packet === wanted;
    return isRight ? [] : [{ imsi, here: states.get(imsi), circuit: line?.circuit, packet: line?.packet }];
  });
  assert.deepEqual([wrong.length, wrong.slice(0, 5)], [0, []]);
  assert.deepEqual(await world.ctx.db.many(sql`select * from network_difference limit 5`), []);
}

/** Makes a request for all of the lines while registers fail. */
async function changeAll(scene: Scene, t: TestContext, action: string, state: string): Promise<void> {
  const { registers, world, lines } = scene;
  const startedAt = performance.now();
  const requestId = await ask(scene, action, lines);
  let isOver = false;
  const troubled = makeTrouble(registers, randomFor(`register ${action}`), {
    times: TROUBLES,
    isOver: () => isOver,
    tell: (what) => t.diagnostic(what),
  });
  await Promise.all([
    troubled,
    untilDone(scene).finally(() => {
      isOver = true;
    }),
  ]);
  t.diagnostic(`${action}: ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  const all = lines.length;
  assert.deepEqual(await findRequest(scene, requestId), {
    ...{ status: 'Success', succeeded: all, told: all, devicesTold: all },
  });
  const changed = await world.ctx.db.many(
    sql`select from device where imsi is not null and state = ${state}`,
  );
  assert.equal(changed.length, all);
  await checkRegisters(scene);
}

/** While the registers are paused, requests suspend lines and then deactivate them. */
async function contest(scene: Scene): Promise<void> {
  const { registers, world } = scene;
  const lines = registers.flatMap((_, n) => range(n * SEEDED_EACH, CONTESTED_EACH));
  for (const register of registers) register.stop();
  const older = await ask(scene, 'suspend', lines);
  await until(
    'nothing was ordered',
    async () =>
      (await world.ctx.db.many(sql`select from network_order where change_id = ${older}`)).length ===
      lines.length,
    LIMIT,
  );
  const newer = await ask(scene, 'deactivate', lines);
  await until(
    'the newer one was not ordered',
    async () =>
      (await world.ctx.db.many(sql`select from network_order where change_id = ${newer}`)).length ===
      lines.length,
    LIMIT,
  );
  for (const register of registers) register.goOn();
  await untilDone(scene);
  const [first, second] = [await findRequest(scene, older), await findRequest(scene, newer)];
  assert.deepEqual([first.status === 'Pending', first.devicesTold], [false, lines.length]);
  assert.deepEqual([second.status, second.succeeded], ['Success', lines.length]);
  await checkRegisters(scene);
}

describe('ten thousand lines behind two registers', { skip: registerIsMissing }, () => {
  it('are there as they are here after they were suspended and restored, whatever happened to the registers', async (t) => {
    const scene = await makeScene(t);
    await untilDone(scene);
    await changeAll(scene, t, 'suspend', 'suspend');
    await changeAll(scene, t, 'restore', 'active');
    await contest(scene);
    const { n } = await scene.world.ctx.db.one<{ n: number }>(
      sql`select count(*)::int as n from network_order where attempts > 1`,
    );
    t.diagnostic(`${n} orders were tried more than once`);
  });
});
