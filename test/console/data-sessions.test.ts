import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { createSessionTaker, type SessionReport } from '../../src/features/data-sessions/index.ts';
import { POLICY } from '../../src/features/data-sessions/test/scene.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole();

describe('the data sessions of a line', () => {
  inBrowser(
    scene,
    'are on its page, with what they used, and with the device that it was seen in',
    async ({ open, shoot, world }) => {
      const { deviceId, imei } = await world.ctx.db.one<{ deviceId: string; imei: string }>(sql`
        select device_id as "deviceId", imei from device
        where account_name = ${ACCOUNT} and state = 'active' and imei is not null order by list_number limit 1`);
      const now = world.ctx.now().getTime();
      const report = (more: Partial<SessionReport>): SessionReport => ({
        kind: 'interim',
        nas: 'gw-1',
        sessionId: '0A42',
        chargingId: undefined,
        atMs: now - 60_000,
        device: { kind: 'imei', value: imei },
        directionsSwapped: false,
        input: 1_048_576,
        output: 5_242_880,
        apn: 'iot.apn',
        rat: 'E-UTRAN',
        sgsn: undefined,
        ggsn: undefined,
        visited: '310410',
        imeisv: '3534567890123401',
        address: '10.9.8.7',
        cell: undefined,
        terminateCause: undefined,
        ...more,
      });
      const taker = createSessionTaker(world.ctx, {
        policy: POLICY,
        realNow: world.ctx.now,
        onFailure: (reason) => assert.fail(reason),
      });
      const ended = { sessionId: '0A41', atMs: now - 3_600_000, terminateCause: 'idle timeout' };
      assert.equal(await taker.take(report({ ...ended, kind: 'stop' })), 'counted');
      assert.equal(await taker.take(report({})), 'counted');
      const page = await open(`/accounts/${ACCOUNT}/devices/${deviceId}`, 'user');
      const table = page.getByRole('table', { name: 'Data sessions' });
      await table.waitFor();
      assert.equal(await table.getByRole('row').count(), 3);
      const [first, second] = [table.getByRole('row').nth(1), table.getByRole('row').nth(2)];
      assert.match(
        await first.innerText(),
        /Open[\s\S]*iot\.apn[\s\S]*E-UTRAN, 310410 USA, gw-1[\s\S]*10\.9\.8\.7/,
      );
      assert.match(await second.innerText(), /Closed[\s\S]*idle timeout/);
      await page.getByText('The line is in a device with IMEISV 3534567890123401.').waitFor();
      await table.scrollIntoViewIfNeeded();
      await shoot(page, 'device-sessions');
    },
  );
});
