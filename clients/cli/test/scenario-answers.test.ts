import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { SCENARIOS } from '../../simulator/scenarios/index.ts';
import { startWorld } from './start-world.ts';

const world = await startWorld();

/** The same service at another address, where `before` runs before each request arrives. */
async function openWayTo(baseUrl: string, before: (path: string) => Promise<void>): Promise<string> {
  const way = createServer(async (asked, answer) => {
    const { url: path = '', method, headers } = asked;
    await before(path);
    const onward = request(new URL(path, baseUrl), { method, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 500, answered.headers);
      answered.pipe(answer);
    });
    asked.pipe(onward);
  });
  after(() => way.close());
  await once(way.listen(0, '127.0.0.1'), 'listening');
  const { port } = way.address() as AddressInfo;
  return `http://127.0.0.1:${port}${new URL(baseUrl).pathname}`;
}

describe('scenario', () => {
  it('list names every scenario, also as JSON', async () => {
    const { code, out } = await world.run(['scenario', 'list']);
    assert.equal(code, 0);
    for (const { name } of SCENARIOS) assert.match(out, new RegExp(`^${name} `, 'm'));
    const { out: json } = await world.run(['scenario', 'list', '--json']);
    assert.deepEqual(
      JSON.parse(json).map(({ name }: { name: string }) => name),
      SCENARIOS.map(({ name }) => name),
    );
  });

  it('overage can be played twice, and tells it as JSON', async () => {
    await world.run(['scenario', 'overage']);
    const { code, out } = await world.run(['scenario', 'overage', '--json']);
    const { scenario, ok, checks } = JSON.parse(out);
    assert.deepEqual([code, scenario, ok], [0, 'overage', true], out);
    assert.ok(checks.length > 4);
  });

  it('that does not end as it should says so with exit code 1', async () => {
    // The listener is paused before the event exists: nothing is sent, so no attempt can fail.
    const LINEKEEPER_URL = await openWayTo(world.baseUrl, async (path) => {
      if (!path.endsWith('/operator/v1/events')) return;
      const pause = { accountName: '0000960002-00001', serviceName: 'CarrierService' };
      assert.equal((await world.operator('POST', '/callbacks/pause', pause)).statusCode, 200);
    });
    const { code, out } = await world.run(['scenario', 'dead-listener'], { env: { LINEKEEPER_URL } });
    assert.equal(code, 1, out);
    assert.match(out, /^ {2}NO/m);
  });

  it('run plays a file, and says what was expected and what came instead', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'linekeeper-scenario-'));
    t.after(() => rm(folder, { recursive: true }));
    const accountName = '0000960050-00001';
    const scenario = {
      name: 'mine',
      summary: 'A device that is not there',
      fleet: { profiles: [{ ecpdId: '9600050' }], accounts: [{ accountName, ecpdId: '9600050' }] },
      steps: [
        {
          call: 'GET /operator/v1/accounts/{accountName}',
          path: { accountName: '0000960051-00001' },
          status: 404,
        },
        { expect: [{ that: 'it has a device', devices: { accountName }, where: { state: 'active' } }] },
      ],
    };
    await writeFile(join(folder, 'mine.json'), JSON.stringify(scenario));
    const { code, out } = await world.run(['scenario', 'run', 'mine.json'], { cwd: folder });
    assert.equal(code, 1, out);
    assert.match(out, /^ {2}yes {2}GET .* is answered with 404$/m);
    assert.match(
      out,
      /^ {2}NO {3}it has a device\n {7}expected at least 1 with .*active.*\n {7}actual {3}0, of 0$/m,
    );
    await writeFile(join(folder, 'wrong.yaml'), 'name: mine\nsteps: []\n');
    const wrong = await world.run(['scenario', 'run', 'wrong.yaml'], { cwd: folder });
    assert.deepEqual([wrong.code, wrong.out], [2, '']);
    assert.match(wrong.err, /wrong\.yaml:2: steps must NOT have fewer than 1 items/);
  });

  it('run lets calls fail on purpose, and nothing fails any more when it has ended', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'linekeeper-scenario-'));
    t.after(() => rm(folder, { recursive: true }));
    const accountName = '0000960052-00001';
    const call = { call: 'GET /operator/v1/accounts/{accountName}', path: { accountName } };
    const fault = (then: object) => ({ match: { operation: 'operatorReadAccount' }, then });
    const scenario = {
      name: 'mine',
      summary: 'What fails on purpose',
      fleet: { profiles: [{ ecpdId: '9600052' }], accounts: [{ accountName, ecpdId: '9600052' }] },
      steps: [
        { faults: [{ ...fault({ status: 503 }), times: 1 }] },
        { ...call, status: 503 },
        { ...call, status: 200 },
        { faults: [fault({ drop: 'before' })] },
        { ...call, status: 'none' },
        { faults: [] },
        { ...call, status: 200 },
        { faults: [fault({ status: 500 })] },
        call,
      ],
    };
    await writeFile(join(folder, 'mine.json'), JSON.stringify(scenario));
    const { code, out } = await world.run(['scenario', 'run', 'mine.json'], { cwd: folder });
    assert.equal(code, 1, out);
    assert.deepEqual(
      out.match(/^ {2}(yes|NO) .*/gm)?.map((line) => line.replace(call.call, 'it')),
      [
        ...['  yes  it is answered with 503', '  yes  it is answered with 200'],
        ...['  yes  it is answered with none', '  yes  it is answered with 200'],
        '  NO   it is answered with success',
      ],
    );
    assert.deepEqual((await world.operator('GET', '/faults')).json(), []);
  });

  it('schema prints the shape of a file', async () => {
    const { out } = await world.run(['scenario', 'schema']);
    assert.ok(JSON.parse(out).properties.steps);
  });

  it('of an unknown name is wrong usage', async () => {
    assert.equal((await world.run(['scenario', 'happy-end'])).code, 2);
  });
});
