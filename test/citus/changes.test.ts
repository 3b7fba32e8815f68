import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { composeCarrier } from '../../src/app/compose/compose-carrier.ts';
import { TENANT } from '../../src/features/carrier-requests/test/scene.ts';
import { changeExclusionList, removeExclusions } from '../../src/features/consents/change-exclusions.ts';
import { setAccountConsent, setDeviceConsents } from '../../src/features/consents/set-consents.ts';
import { changeState, suspendDevices } from '../../src/features/device-lifecycle/index.ts';
import { createRequest } from '../../src/features/location-reports/create-request.ts';
import { workJob as reportJob } from '../../src/features/location-reports/jobs.ts';
import { changePlansByItself } from '../../src/features/plan-change/index.ts';
import { requestPlanChange } from '../../src/features/plan-change/request-plan-change.ts';
import { addressed, imei, makePlanScene } from '../../src/features/plan-change/test/scene.ts';
import { recordTransactions } from '../../src/features/usage/services/record-transactions.ts';
import { inTx } from '../../src/platform/context/context.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { isOnCluster } from '../support/citus.ts';
import { ACCOUNT } from '../support/fleet.ts';
import { nobodyEvaluates } from '../support/nobody-evaluates.ts';
import { openTellingConnection } from '../support/telling-connection.ts';

const ECPD = '9000001';
const USERNAME = 'ws-user';
const { world, deviceOf } = await makePlanScene(4);
world.clock.holdAt(new Date('2026-01-20T12:00:00Z'));
const { db, staysOnOneWorker, open, close } = openTellingConnection(world.databaseUrl, world.ctx.db);
const ctx = { ...world.ctx, db };
const { workJob } = composeCarrier(nobodyEvaluates.evaluateMove);

/** Processes a request as its job would. */
const work = (requestId: string) =>
  workJob.run(
    ctx,
    { accountName: ACCOUNT, requestId },
    { jobId: requestId, ecpdId: ECPD, attempt: 1, signal: new AbortController().signal },
  );
const idsOf = (...numbers: number[]) => Promise.all(numbers.map(async (n) => (await deviceOf(n)).deviceId));
const countRows = async (table: ReturnType<typeof sql>) =>
  (await world.ctx.db.one<{ n: number }>(sql`select count(*)::int as n from ${table}`)).n;

const skip = !isOnCluster() && 'only a cluster has workers';

describe('what a customer changes stays on the worker of its profile', { skip }, () => {
  before(open);
  after(close);

  it('the plan of devices, with where they are used', async () => {
    const body = {
      accountName: ACCOUNT,
      servicePlan: 'P-FIXED',
      deviceListWithServiceAddress: [addressed(0), addressed(1)],
    };
    const { requestId } = await staysOnOneWorker(() =>
      requestPlanChange(ctx, TENANT, { body: body as never, createdBy: USERNAME }, workJob),
    );
    await staysOnOneWorker(() => work(requestId));
    assert.deepEqual([(await deviceOf(0)).plan, (await deviceOf(1)).plan], ['P-FIXED', 'P-FIXED']);
    assert.notEqual((await deviceOf(0)).place, null);
  });

  it('the plan of devices for days that have passed, whose usage goes with it', async () => {
    const used = [2, 3].map((n) => ({
      ...{ id: `u${n}`, kind: 'imei', device: imei(n), at: '2026-01-19T12:00:00Z', bytes: 1_000 },
    }));
    assert.equal((await world.operator('POST', '/usage', used)).json().accepted, 2);
    const change = { servicePlan: 'P-50MB', effectiveAt: 'BackDate', requestedBy: 'trigger 7' } as const;
    const deviceIds = await idsOf(2, 3);
    const requestId = await staysOnOneWorker(() =>
      inTx(ctx, (tx) => changePlansByItself(tx, TENANT, { ...change, deviceIds }, workJob)),
    );
    await staysOnOneWorker(() => work(requestId!));
    assert.equal(await countRows(sql`usage_moved_record`), 2);
  });

  it('whether devices are suspended', async () => {
    const deviceIds = await idsOf(2, 3);
    const asked = { days: 30, requestedBy: 'trigger 7' };
    const [requestId] = await staysOnOneWorker(() =>
      inTx(ctx, (tx) => suspendDevices(tx, TENANT, deviceIds, asked, workJob)),
    );
    await staysOnOneWorker(() => work(requestId!));
    assert.equal(await countRows(sql`device_suspension`), 2);
    const key = { ...(TENANT as { ecpdId: never; accountName: never }), deviceId: deviceIds[0]! };
    assert.ok(await staysOnOneWorker(() => changeState(ctx, key, 'active')));
    assert.ok(await staysOnOneWorker(() => changeState(ctx, key, 'suspend')));
    assert.equal(await countRows(sql`device_suspension`), 3);
  });

  // Who had the lines before is asked of every worker, without a lock.
  it('consents, and who is excluded, but for a look at earlier owners', async () => {
    const level = { allDeviceConsent: '0', deviceList: undefined };
    await setAccountConsent(world.ctx, TENANT, level, USERNAME);
    const devices = [0, 1].map((n) => ({ id: imei(n), kind: 'IMEI', consent: '3' }));
    await setDeviceConsents(world.ctx, TENANT, devices, USERNAME);
    const excluded = { type: 'append', allDevice: undefined, exclusion: [imei(0), imei(1)] } as const;
    await changeExclusionList(world.ctx, TENANT, excluded, USERNAME);
    await staysOnOneWorker(() => removeExclusions(ctx, TENANT, [imei(0)], USERNAME));
    const changes = await world.ctx.db.many<{ change: string }>(sql`
      select change from consent_ledger where ecpd_id = ${ECPD} and actor = ${USERNAME} order by entry_id`);
    assert.deepEqual(
      changes.map(({ change }) => change),
      ['level-all', 'device-level', 'device-level', 'exclude', 'exclude', 'allow'],
    );
  });

  it('a report of locations, and what it is billed', async () => {
    const device = { kind: 'imei', value: imei(2), sent: imei(2), mdn: undefined } as const;
    const request = { accuracy: 'coarse', cacheMode: 2, maxAgeMs: undefined, devices: [device] } as const;
    const deps = { workJob: reportJob({} as never), notify: {} as never };
    const { status, txid } = await staysOnOneWorker(() =>
      createRequest(ctx, TENANT, { answeredBy: 'report', request }, deps),
    );
    assert.equal(status, 'QUEUED');
    const [deviceId] = await idsOf(2);
    const use = { serviceName: 'Location', requestRef: txid, deviceId: deviceId!, at: ctx.now() } as const;
    await staysOnOneWorker(() =>
      inTx(ctx, (tx) =>
        recordTransactions(tx, ECPD, [{ ...use, accountName: ACCOUNT }], nobodyEvaluates.watchServices),
      ),
    );
    assert.equal(await countRows(sql`service_transaction`), 1);
  });
});
