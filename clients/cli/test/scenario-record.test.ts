import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { asUser, CLIENT } from '../../../test/support/fleet.ts';
import { openListener } from '../../../test/support/listener.ts';
import { readScenario, SCENARIOS } from '../../simulator/scenarios/index.ts';
import { fill } from '../../simulator/scenarios/values.ts';
import { startEmptyWorld } from './start-world.ts';

const ACCOUNT = '0000960001-00001';
const IMEI = '997200010000017';
const [recorded, fresh] = [await startEmptyWorld(), await startEmptyWorld()];
const folder = await mkdtemp(join(tmpdir(), 'linekeeper-record-'));
after(() => rm(folder, { recursive: true }));

const inFolder = { cwd: folder };
const record = (file: string, ...options: readonly string[]) =>
  recorded.run(
    ['scenario', 'record', file, '--account', ACCOUNT, '--fleet', 'before.json', ...options],
    inFolder,
  );
const newestId = async () => (await recorded.operator('GET', '/requests?limit=1')).json()[0].id;

/** The fleet of a shipped scenario, with a trigger at 5 MB. */
async function setUp() {
  const { fleet } = await readScenario(SCENARIOS.find(({ name }) => name === 'overage')!.file);
  const { url } = await openListener();
  const filled = fill(fleet, { now: recorded.ctx.now().toISOString(), listener: url });
  await recorded.import({ ...filled, clients: [CLIENT] });
  const { out } = await recorded.run(['export', '--account', ACCOUNT]);
  await writeFile(join(folder, 'before.json'), out);
  return asUser(recorded, { username: 'scenario-user-1', password: 'scenario-user-password' });
}
type User = Awaited<ReturnType<typeof setUp>>;

async function tryToSuspend(user: User): Promise<void> {
  const line = { accountName: ACCOUNT, devices: [{ deviceIds: [{ id: IMEI, kind: 'imei' }] }] };
  await recorded.operator('PUT', '/faults', [
    { match: { operation: 'suspendDevices' }, times: 1, then: { status: 503 } },
  ]);
  for (const status of [503, 200]) {
    const { statusCode } = await user.call('POST', '/m2m/v1/devices/actions/suspend', line);
    assert.equal(statusCode, status);
  }
  await recorded.operator('POST', '/clock', { advance: 'PT5M' });
}

async function useTriggers(user: User): Promise<void> {
  const trigger = { accountName: ACCOUNT, serviceName: 'Location', thresholdValue: '90' };
  const made = await user.call('POST', '/subsc/v1/usage/triggers', trigger);
  const { triggerId } = made.json();
  await user.call('GET', `/subsc/v1/usage/accounts/${ACCOUNT}/triggers/${triggerId}`);
  const at = recorded.ctx.now().toISOString();
  const used = { id: 'r-1', kind: 'imei', device: '997200010000025', at, bytes: 6_291_456 };
  await recorded.operator('POST', '/usage', JSON.stringify(used));
  await recorded.operator('POST', '/clock', { advance: 'PT1M' });
  await user.call('DELETE', `/subsc/v1/usage/accounts/${ACCOUNT}/triggers/${triggerId}`);
}

describe('scenario record', () => {
  let user: User;
  before(async () => {
    user = await setUp();
    await tryToSuspend(user);
    await useTriggers(user);
  });

  for (const file of ['session.yaml', 'session.json'])
    it(`writes ${file}, and that passes on a fresh sandbox`, async () => {
      const { code, err } = await record(file);
      assert.equal(code, 0, err);
      assert.match(err, /^Left out 2 calls: a scenario signs in and out automatically\.$/m);
      const played = await fresh.run(['scenario', 'run', file], inFolder);
      assert.equal(played.code, 0, played.out + played.err);
      for (const check of [
        /yes {2}POST \/m2m\/v1\/devices\/actions\/suspend is answered with 503/,
        /yes {2}POST \/m2m\/v1\/devices\/actions\/suspend is answered with 200/,
        /yes {2}CarrierService got a callback about the request once/,
        /yes {2}firings of \S+: 1/,
        /yes {2}callbacks of AlertService: 1/,
      ])
        assert.match(played.out, check);
    });

  it('names what an answer gave where a later call uses it', async () => {
    await record('named.json');
    const { steps } = JSON.parse(await readFile(join(folder, 'named.json'), 'utf8'));
    const triggers = steps.filter(({ call = '' }) => call.includes('/subsc/'));
    const path = `/subsc/v1/usage/accounts/${ACCOUNT}/triggers/`;
    const named = `\${${triggers[0].save}.triggerId}`;
    assert.deepEqual(
      triggers.map(({ call }: { call: string }) => call),
      ['POST /subsc/v1/usage/triggers', `GET ${path}${named}`, `DELETE ${path}${named}`],
    );
  });

  it('has no secrets, and signs in as a user of its own', async () => {
    await record('signed.json');
    const { fleet, steps } = JSON.parse(await readFile(join(folder, 'signed.json'), 'utf8'));
    assert.deepEqual(
      fleet.users.map(({ accounts }: { accounts: string[] }) => accounts),
      [[ACCOUNT]],
    );
    assert.doesNotMatch(JSON.stringify(steps), /session\/login|oauth2|scenario-user-password/);
  });

  it('leaves out a call whose body the log has cut, and says so', async () => {
    const from = await newestId();
    await user.call('GET', `/m2m/v1/accounts/${ACCOUNT}`);
    await user.call('POST', '/m2m/v1/devices/actions/list', { accountName: ACCOUNT, x: 'y'.repeat(20_000) });
    const { err } = await record('cut.json', '--from', from);
    assert.match(err, /^Left out 1 call: the log has their bodies only up to 16 KiB\.$/m);
    const { steps } = JSON.parse(await readFile(join(folder, 'cut.json'), 'utf8'));
    assert.ok(!JSON.stringify(steps).includes('actions/list'));
  });

  it('takes the calls from one to another, and refuses where there are none', async () => {
    await user.call('GET', `/m2m/v1/plans/${ACCOUNT}`);
    const id = await newestId();
    await user.call('GET', `/m2m/v1/accounts/${ACCOUNT}`);
    await record('one.json', '--from', id, '--to', id);
    const { steps } = JSON.parse(await readFile(join(folder, 'one.json'), 'utf8'));
    assert.deepEqual(steps[0], { call: `GET /m2m/v1/plans/${ACCOUNT}`, status: 200 });
    const none = await record('none.json', '--since', '2040-01-01');
    assert.deepEqual([none.code, none.out], [1, '']);
    assert.match(none.err, /The request log has no calls of account 0000960001-00001/);
  });

  it('of wrong usage says what is right', async () => {
    for (const words of [
      ['record', 'x.yaml'],
      ['record', 'x.txt', '--account', ACCOUNT],
      ['list', '--account', ACCOUNT],
    ]) {
      const { code } = await recorded.run(['scenario', ...words], inFolder);
      assert.equal(code, 2, words.join(' '));
    }
  });
});
