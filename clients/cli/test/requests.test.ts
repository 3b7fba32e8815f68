import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { startEmptyWorld } from './start-world.ts';

const ACCOUNT = '0000123456-00001';
const service = await startEmptyWorld();
before(() =>
  service.import({
    profiles: [{ ecpdId: '9000001' }],
    accounts: [{ accountName: ACCOUNT, ecpdId: '9000001' }],
  }),
);

describe('requests', () => {
  it('lists calls for people and for programs, and shows one as a command of curl', async () => {
    await service.operator('GET', `/accounts/${ACCOUNT}`);
    await service.operator('POST', '/users/ghost/unlock');
    const table = await service.run(['requests', '--limit', '2']);
    const [titles, refused, read] = table.out.trimEnd().split('\n');
    assert.match(titles!, /^AT +STATUS +MS +CALLER +OPERATION +CALL +CAUSED +REASON +ID$/);
    assert.match(refused!, /404 .*operator first +operatorUnlockUser +POST .*user_unknown/);
    assert.match(read!, /200 .*operatorReadAccount/);
    const json = await service.run(['requests', '--operation', 'operatorReadAccount', '--json']);
    const [{ id }] = JSON.parse(json.out);
    const { out } = await service.run(['requests', 'show', id, '--curl']);
    assert.match(out, new RegExp(`^curl -X GET "\\$LINEKEEPER_URL"'/operator/v1/accounts/${ACCOUNT}'`));
  });

  it('--follow prints each call as it ends, the oldest first', async () => {
    const following = service.run([
      'requests',
      '--follow',
      '--max',
      '2',
      '--operation',
      'operatorListUsers',
      '--json',
    ]);
    let isOver = false;
    void following.finally(() => {
      isOver = true;
    });
    while (!isOver) await service.operator('GET', '/users');
    const calls = (await following).out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      calls.map(({ operation }) => operation),
      ['operatorListUsers', 'operatorListUsers'],
    );
    assert.ok(calls[0].id < calls[1].id);
  });

  it('record asks for an account, outside the sandbox', async () => {
    const { out } = await service.run(['requests', 'record', ACCOUNT, '15']);
    assert.match(out, /^Requests of 0000123456-00001 are logged until \S+Z\.$/m);
  });
});
