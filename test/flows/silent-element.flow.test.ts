import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpElement } from '../../src/adapters/network-http/index.ts';
import { MB, makeActingWorld, SUSPEND_30 } from '../../src/features/trigger-actions/test/scene.ts';
import { sql } from '../../src/platform/db/sql.ts';

/** Orders that the silent element has got and not answered. */
let isSilent = true;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    if (request.url !== '/silent' || !isSilent) response.writeHead(200).end();
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as { port: number };

const [SILENT, HEALTHY] = ['31148099', '31148011'];
const elementOf = (name: string, prefix: string, timeoutMs: number) => ({
  name,
  imsi: [`${prefix}0000000-${prefix}9999999`],
  afterwards: false,
  element: createHttpElement({
    name,
    url: `http://127.0.0.1:${port}/${name}`,
    secret: 'whsec_c2VjcmV0IG9mIHRoZSBvcGVyYXRvcg==',
    userAgent: 'Linekeeper/test',
    timeoutMs,
  }),
});
const nextScene = await makeActingWorld({
  customers: 5,
  env: { LINEKEEPER_ACTION_DEVICES_MAX: '4' },
  elements: { served: [elementOf('silent', SILENT, 200), elementOf('healthy', HEALTHY, 60_000)], openMs: 1 },
});
after(() => {
  server.closeAllConnections();
  server.close();
});

/** Line 0 is on the silent element, the others are on one that answers. */
async function nextMixed() {
  const scene = await nextScene();
  const { world, db, a, ecpdId, imei } = scene;
  isSilent = false;
  const imsiOf = (n: number) =>
    `${n === 0 ? SILENT : HEALTHY}${ecpdId.slice(-4)}${String(n).padStart(3, '0')}`;
  const settle = async () => {
    for (let n = 0; n < 3; n++) {
      await db.exec(
        sql`update network_order set due_at = statement_timestamp() where ecpd_id = ${ecpdId} and state = 'waiting'`,
      );
      await world.engine.settle();
      await world.orders?.settle();
    }
  };
  await world.import({
    devices: [0, 1, 2, 3, 4].map((n) => ({ accountName: a, imei: imei(n), imsi: imsiOf(n) })),
  });
  await settle();
  isSilent = true;
  /** The state of the first action of each firing, by line. */
  const actionsOf = async (id: string) =>
    Object.fromEntries(
      (await scene.firingsOf(id)).map(({ deviceName, actions }) => [deviceName, actions[0]?.state]),
    );
  return { ...scene, settle, actionsOf };
}

// proves price-plan-triggers/own-lines
describe('actions of an account of which one line is on a silent element', () => {
  it('are carried out for all other lines, in the same action and in later ones', async () => {
    const { create, suspending, feed, settle, statesOf, actionsOf, imei } = await nextMixed();
    const id = await create(suspending());
    await feed({ 0: 2 * MB, 1: 2 * MB });
    await settle();
    await feed({ 2: 2 * MB });
    await settle();
    assert.deepEqual(await statesOf(0, 1, 2), ['active', 'suspend', 'suspend']);
    assert.deepEqual(await actionsOf(id), { [imei(0)]: 'running', [imei(1)]: 'done', [imei(2)]: 'done' });
  });

  it('follow each other in each line, which a later one finds as the earlier one left it', async () => {
    const { create, suspending, changing, feed, settle, statesOf, plansOf, actionsOf, imei } =
      await nextMixed();
    const first = await create(suspending({ suspendFromAccounts: undefined }));
    const second = await create(changing('CARRIER-Q'));
    await feed({ 0: 2 * MB });
    await settle();
    assert.deepEqual(
      [await actionsOf(first), await actionsOf(second)],
      [{ [imei(0)]: 'running' }, { [imei(0)]: 'waiting' }],
    );
    isSilent = false;
    await settle();
    assert.deepEqual([await statesOf(0), await plansOf(0)], [['suspend'], ['P']]);
    assert.deepEqual(
      [await actionsOf(first), await actionsOf(second)],
      [{ [imei(0)]: 'done' }, { [imei(0)]: 'skipped' }],
    );
  });

  it('on many lines begin with the lines that are free, and end with the one that was silent', async () => {
    const { create, individual, changing, feed, settle, plansOf, statesOf, firingsOf, call } =
      await nextMixed();
    await create(changing('CARRIER-Q'));
    const account = await create(
      individual(
        { suspend: true, suspendDetails: { ...SUSPEND_30, threshold: 3, thresholdUnit: 'MB' } },
        { conditionType: 'AccountLevel', separateOrCombined: 'Separate' },
      ),
    );
    await feed({ 0: 4 * MB });
    await settle();
    const suspension = async () =>
      (await firingsOf(account)).find(({ levelKind }) => levelKind === 'suspendBytes')!;
    const { firingId } = await suspension();
    assert.equal((await call('POST', `/firings/${firingId}/approve`)).statusCode, 200);
    await settle();
    assert.deepEqual(await statesOf(0, 1, 2, 3, 4), ['active', 'suspend', 'suspend', 'suspend', 'suspend']);
    const [under] = (await suspension()).actions;
    assert.deepEqual([under?.state, under?.deviceCount, under?.succeeded], ['running', 5, 4]);
    isSilent = false;
    await settle();
    assert.deepEqual([...(await statesOf(0)), ...(await plansOf(0))], ['active', 'Q']);
    const [ended] = (await suspension()).actions;
    assert.deepEqual([ended?.state, ended?.succeeded], ['done', 4]);
  });

  it('are carried out while the element is paused, for as long as that may be', async () => {
    const { create, suspending, feed, statesOf, world } = await nextMixed();
    const paused = await world.operator('POST', '/network/silent/pause');
    assert.ok(paused.statusCode < 300, paused.body);
    world.orders?.start();
    await create(suspending());
    await feed({ 0: 2 * MB });
    await feed({ 1: 2 * MB });
    for (let n = 0; n < 600 && (await statesOf(1))[0] === 'active'; n++) {
      await world.engine.settle();
      await sleep(20);
    }
    assert.deepEqual(await statesOf(0, 1), ['active', 'suspend']);
  });
});
