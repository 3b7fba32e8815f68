import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAttribute } from '../../adapters/radius/packet.ts';
import { at, imsiOf, makeSessionWorld, report } from '../../features/data-sessions/test/scene.ts';
import { openSessionsOf } from './network-sessions.ts';

const world = await makeSessionWorld();
const taker = world.taker();

describe('the sessions that an access server is asked to cut', () => {
  it('are the open ones of each line on that access server, or on any where it has no name', async () => {
    await taker.take(report({ n: 0, sessionId: 'ended', kind: 'stop', atMs: at(1) }));
    await taker.take(report({ n: 0, sessionId: 'open', atMs: at(2) }));
    await taker.take(report({ n: 0, sessionId: 'elsewhere', nas: 'gw-2', apn: 'other.apn', atMs: at(3) }));
    await taker.take(report({ n: 11, sessionId: 'of another customer', atMs: at(4) }));
    const lines = [0, 1, 11].map((n) => ({ imsi: imsiOf(n) }));
    const ask = async (nas: string | undefined) => {
      const names = await openSessionsOf(world.ctx, nas)([...lines, { imsi: '001019999999999' }]);
      return names.map((ofLine) =>
        ofLine.map((attributes) => readAttribute({ attributes }, 'Acct-Session-Id')).sort(),
      );
    };
    assert.deepEqual(await ask('gw-1'), [['open'], [], ['of another customer'], []]);
    assert.deepEqual(await ask(undefined), [['elsewhere', 'open'], [], ['of another customer'], []]);
  });
});
