import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { gatewayId, RECORD_FLEET } from './record-fleet.ts';

const SENSORS = 270;
const LARGE = 250_000;

const world = await makeWorld();
await world.import({
  ...RECORD_FLEET,
  devices: [
    ...RECORD_FLEET.devices,
    ...Array.from({ length: SENSORS }, (_, n) => ({
      accountName: ACCOUNT,
      kind: 'sensor',
      mac: `00:00:00:01:${String(n).padStart(4, '0').replace(/(..)/, '$1:')}`,
      record: { parentdeviceid: gatewayId },
    })),
  ],
});
const { call } = await asUser(world);
const ask = async (path: string, filter: object) => {
  const answer = await call('POST', `/dm/v1/devices/${path}/actions/query`, { accountname: ACCOUNT, filter });
  return [answer.statusCode, answer.json().error, answer.json().cause ?? answer.json().length];
};
const enlarge = (kind: string) =>
  world.ctx.db.exec(sql`
    update device set record = record || jsonb_build_object('customdata', jsonb_build_object('x', repeat('x', ${LARGE}::int)))
    where ecpd_id = '9000001' and account_name = ${ACCOUNT} and kind = ${kind}`);

describe('an answer that would be too large is refused, for', () => {
  it('400: a gateway expanded in each of its sensors', async () => {
    await enlarge('gateway');
    const expanded = { $nopagination: true, $expand: 'parentdevice' };
    assert.deepEqual(await ask('sensors', expanded), [400, 'answer_too_large', 'filter.$expand']);
    assert.deepEqual((await ask('sensors', { $limitnumber: 5, $expand: 'parentdevice' }))[0], 200);
  });

  it('400: large records, until fewer are requested', async () => {
    await enlarge('sensor');
    const all = { $nopagination: true, $projection: ['id'] };
    assert.deepEqual(await ask('sensors', all), [400, 'answer_too_large', 'filter.$limitnumber']);
    const some = { $limitnumber: 5, $projection: ['id'] };
    assert.deepEqual(await ask('sensors', some), [200, undefined, 5]);
  });
});
