import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { randomFor } from '../../../../test/support/seeded-random.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { writeAudit } from '../../../platform/context/audit.ts';

const world = await makeWorld();
await world.import(SMALL_FLEET);
const ACTIONS = [
  'operatorListDevices',
  'operatorReadClock',
  'operatorExport',
  'operatorFeedUsage',
  'operatorMoveClock',
  'operatorReset',
  'importDeviceRecord',
  'importRule',
  'changeLineState',
  'consoleSuspendDevices',
  'operatorimport',
];
const random = randomFor('what somebody changed');
const read = async (query: string) => {
  const answer = await world.operator('GET', `/audit?actor=drawn&limit=1000${query}`);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};

interface Entry {
  readonly action: string;
  readonly after: { readonly calls?: number } | null;
  readonly target: string | null;
  readonly targetName?: string;
}

/** The same decision, written differently. */
function isChange({ action, after }: Entry): boolean {
  if (['List', 'Read', 'Export', 'Feed'].some((verb) => action.startsWith(`operator${verb}`))) return false;
  if (action.startsWith('import')) return false;
  return after?.calls === undefined;
}

describe('the audit log of operators', () => {
  it('leaves out only reads, feeds and machines if only changes are requested', async () => {
    for (let n = 0; n < 200; n++) {
      const ctx = {
        ...world.ctx,
        actor: { kind: random.pick(['operator', 'user', 'system'] as const), name: 'drawn' },
      };
      const after = random.pick([undefined, { calls: 3, until: '2026' }, { name: 'x' }]);
      await writeAudit(ctx, { action: random.pick(ACTIONS), after });
    }
    const all: Entry[] = await read('');
    assert.equal(all.length, 200);
    const changes = all.filter(isChange);
    assert.ok(changes.length > 20 && changes.length < 180);
    assert.deepEqual(await read('&changes=true'), changes);
    assert.deepEqual(await read('&changes=false'), all);
  });

  it('shows the names of devices that still exist', async () => {
    await world.import({
      devices: [{ accountName: ACCOUNT, imei: '990000000000011', record: { name: 'Truck 126' } }],
    });
    const known = async () => {
      const found: Entry[] = (
        await world.operator('GET', `/audit?accountName=${ACCOUNT}&action=importDeviceRecord`)
      ).json();
      return found.map(({ targetName }) => targetName);
    };
    assert.ok((await known()).includes('Truck 126'));
    assert.equal((await world.operator('DELETE', '/devices/imei/990000000000011')).statusCode, 200);
    assert.ok(!(await known()).includes('Truck 126'));
  });
});
