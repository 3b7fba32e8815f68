import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finishAccountDeletions } from '../../src/features/operator/jobs.ts';
import { sql, trusted } from '../../src/platform/db/sql.ts';
import { makeScene } from '../support/callback-scene.ts';
import { isOnCluster } from '../support/citus.ts';
import { openTestDatabase } from '../support/database.ts';
import { ACCOUNT, asUser, bearer, CLIENT, logIn, MANAGED, SMALL_FLEET, USER } from '../support/fleet.ts';
import { untilWaiting } from '../support/lock-waits.ts';
import { changeTriggers } from '../support/triggers.ts';

const GONE = '0000123456-00003';
const IMEI = '990000000000011';
const GONE_IMEI = '990000000000037';
const trigger = (threshold: number) => ({
  ecpdId: '9000001',
  triggerName: 'over',
  triggerCategory: 'PricePlanDataUsage',
  pricePlanTrigger: {
    payAsYouGo: {
      filterCriteria: { carrierServicePlanCode: 'P-5MB', accountNameList: [ACCOUNT] },
      condition: { conditionType: 'Individual', comparator: 'gt', threshold },
      action: { suspend: false },
    },
  },
  notification: { notificationType: 'PerEvent', callback: true },
});
const usageTrigger = (thresholdValue: string) => ({
  ...{ accountName: ACCOUNT, triggerName: 'gate', serviceName: 'Location', thresholdValue },
});

const {
  operator,
  import: load,
  ctx,
  engine,
  delivery,
  listener,
  post,
  api,
  pass,
  databaseUrl,
} = await makeScene();
await load({
  accounts: [{ accountName: GONE, ecpdId: '9000001' }],
  devices: [{ accountName: GONE, imei: GONE_IMEI, servicePlan: 'P-5MB' }],
  users: [{ ...USER, accounts: [ACCOUNT, GONE] }],
  licenses: [{ accountName: ACCOUNT, skuNumber: 'SKU-1', purchased: 5 }],
  pricePlanTriggers: [trigger(5)],
  usageTriggers: [usageTrigger('50')],
});
const other = openTestDatabase(databaseUrl);

const run = { jobId: '', ecpdId: '', attempt: 1, signal: new AbortController().signal };

let fed = 0;
const feed = async (...devices: string[]) => {
  const at = ctx.now();
  const records = devices.map((device) => ({
    ...{ id: `beside-${++fed}`, kind: 'imei', device, at, bytes: 1_000 },
  }));
  return (await operator('POST', '/usage', records)).json();
};

/** A feed of a watched account, a login and a callback. None of them may wait for a lock. */
async function answer(user: object = USER): Promise<void> {
  const heard = listener.heard.length;
  const calls: Record<string, () => Promise<unknown>> = {
    'a feed': async () => assert.equal((await feed(IMEI)).accepted, 1),
    'a login': async () => logIn(api, await bearer(api, CLIENT), user),
    'a callback': async () => {
      await post({});
      await delivery.settle();
      assert.equal(listener.heard.length, heard + 1);
    },
  };
  for (const [what, call] of Object.entries(calls)) {
    const called = call();
    called.catch(() => {});
    const first = await Promise.race([
      called.then(() => 'answers'),
      untilWaiting(other, { count: 2, unless: called }).then(() => 'waits'),
    ]);
    assert.equal(`${what} ${first}`, `${what} answers`);
  }
}

/** Lets `work` wait for a table that it needs late, calls `meanwhile`, and then lets it end. */
async function whileItWaitsFor<T>(
  table: string,
  work: () => Promise<T>,
  meanwhile: () => Promise<unknown>,
): Promise<T> {
  let done: Promise<T> | undefined;
  await other.tx(async (tx) => {
    await tx.exec(sql`lock table ${trusted(table)} in share mode`);
    done = work();
    done.catch(() => {});
    await untilWaiting(tx, { unless: done });
    await meanwhile();
  });
  return done!;
}

const statusOf = async (call: ReturnType<typeof operator>) => (await call).statusCode;

describe('a feed, a login and a callback', () => {
  it('answer while an import that changes all they need waits for its last lines', async () => {
    const document = {
      ...SMALL_FLEET,
      accounts: [
        { accountName: ACCOUNT, organizationName: 'Other', billCycleDay: 5 },
        { accountName: MANAGED, organizationName: 'Managed' },
      ],
      clients: [{ ...CLIENT, clientSecret: 'another-secret' }],
      users: [{ username: USER.username, password: 'another-password', accounts: [ACCOUNT] }],
      plans: [{ code: 'P-5MB', allowanceBytes: 1_000_000 }],
      ratePlanGroups: [{ ecpdId: '9000001', ratePlanGroupId: 7, planCodes: ['P-5MB'], accounts: [ACCOUNT] }],
      managedAccounts: [
        {
          accountName: MANAGED,
          paccountName: ACCOUNT,
          serviceName: 'fota',
          type: 'SVC-FOTA',
          state: 'provisioned',
        },
      ],
      pricePlanTriggers: [trigger(6)],
      usageTriggers: [usageTrigger('60')],
      licenses: [{ accountName: ACCOUNT, skuNumber: 'SKU-1', purchased: 6 }],
    };
    const status = await whileItWaitsFor(
      'license',
      () => statusOf(operator('POST', '/import', document)),
      answer,
    );
    assert.equal(status, 200);
    assert.equal((await operator('GET', `/accounts/${ACCOUNT}`)).json().organizationName, 'Other');
    await load({ clients: [CLIENT], users: [{ ...USER, accounts: [ACCOUNT, GONE] }] });
    await engine.settle();
  });

  // proves fleet-document/levels-after-the-import
  it('answer while nobody can write the levels of plans that an import changes; unchanged plans have none to write', async () => {
    const plans = [{ code: 'P-5MB', allowanceBytes: 2_000_000 }];
    await whileItWaitsFor('price_plan_level', () => load({ plans }), answer);
    await engine.settle();
    const jobs = sql`select count(*)::int as count from job where kind = 'price-plan-triggers.follow-accounts'`;
    const before = await ctx.db.value<number>(jobs);
    await load({ ...SMALL_FLEET, plans });
    assert.equal(await ctx.db.value<number>(jobs), before);
  });

  // proves operating/deleting-an-account
  it('answer while the deletion of another account of the profile takes its time, and the name is taken until its end', async () => {
    const meanwhile = async () => {
      await answer();
      assert.deepEqual(
        (({ accepted, rejected }) => [accepted, rejected.length])(await feed(IMEI, GONE_IMEI)),
        [1, 1],
      );
      assert.equal(await statusOf(operator('GET', `/accounts/${GONE}`)), 404);
      const again = { accounts: [{ accountName: GONE, ecpdId: '9000001' }] };
      assert.equal(await statusOf(operator('POST', '/import', again)), 422);
    };
    const path = `/accounts/${GONE}`;
    assert.equal(
      await whileItWaitsFor('notification', () => statusOf(operator('DELETE', path)), meanwhile),
      200,
    );
    assert.equal(await statusOf(operator('DELETE', path)), 404);
    await load({ accounts: [{ accountName: GONE, ecpdId: '9000001' }] });
  });

  const onOneServer = {
    skip: isOnCluster() && 'a cluster lets one transaction at a time write the list of accounts',
  };
  it('find an account gone that was deleted while an import waited to change it', onOneServer, async () => {
    const document = {
      accounts: [{ accountName: GONE, ecpdId: '9000001', organizationName: 'Late' }],
      serviceableZips: ['12345'],
    };
    const path = `/accounts/${GONE}`;
    const status = await whileItWaitsFor(
      'serviceable_zip',
      () => statusOf(operator('POST', '/import', document)),
      async () => assert.equal(await statusOf(operator('DELETE', path)), 200),
    );
    assert.deepEqual([status, await statusOf(operator('GET', path))], [200, 404]);
    const left = sql`select count(*)::int as n from account where account_name = ${GONE}`;
    assert.equal(await ctx.db.value(left), 0);
  });

  /** Refuses statements that delete more rows of a table than this. */
  const limitDeleted = (count: number, table = 'position_history') =>
    changeTriggers(
      ctx.db,
      sql`create or replace function ${trusted(`too_many_${table}`)}() returns trigger language plpgsql as ${trusted(
        `'begin if (select count(*) from gone) > ${count} then raise exception ''too many''; end if; return null; end'`,
      )}`,
      sql`create or replace trigger too_many after delete on ${trusted(table)} referencing old table as gone
        for each statement execute function ${trusted(`too_many_${table}`)}()`,
    );
  const locate = (accountName: string, count: number) =>
    ctx.db.exec(sql`
      insert into position_history (ecpd_id, device_id, at, accuracy, latitude, longitude, radius_m)
      select ecpd_id, device_id, ${ctx.now()}::timestamptz - n * interval '1 second', 'coarse', 1, 1, 1
      from device, generate_series(1, ${count}) as n where account_name = ${accountName}`);

  // proves operating/deleting-an-account
  it('never wait for a deletion of very many positions at once, whatever is deleted', async () => {
    const imeis = [GONE_IMEI, '990000000000045', '990000000000052'];
    await load({ accounts: [{ accountName: GONE, ecpdId: '9000001' }] });
    await load({ devices: imeis.map((imei) => ({ accountName: GONE, imei, servicePlan: 'P-5MB' })) });
    await load({ users: [{ ...USER, accounts: [ACCOUNT, GONE] }] });
    await locate(GONE, 20_000);
    await limitDeleted(50_000);
    const user = await asUser({ api });
    const devices = imeis.map((id) => ({ deviceIds: [{ id, kind: 'imei' }] }));
    const asked = await user.call('POST', '/m2m/v1/devices/actions/deactivate', {
      ...{ accountName: GONE, devices, reasonCode: 'FF', etfWaiver: true, deleteAfterDeactivation: true },
    });
    assert.equal(asked.statusCode, 200, asked.body);
    await engine.settle();
    const lines = sql`select count(*)::int as n from device where account_name = ${GONE}`;
    assert.equal(await ctx.db.value(lines), 0);
    await load({ devices: imeis.map((imei) => ({ accountName: GONE, imei, servicePlan: 'P-5MB' })) });
    await locate(GONE, 20_000);
    assert.equal(await statusOf(operator('DELETE', `/accounts/${GONE}`)), 200);
    await changeTriggers(ctx.db, sql`drop trigger too_many on position_history`);
  });

  it('never wait for very many positions of lines that an activation moves', async () => {
    const imeis = ['990000000002016', '990000000002024', '990000000002032'];
    await load({ accounts: [{ accountName: GONE, ecpdId: '9000001' }] });
    await load({ devices: imeis.map((imei) => ({ accountName: GONE, imei, state: 'deactive' })) });
    await load({ users: [{ ...USER, accounts: [ACCOUNT, GONE] }] });
    await locate(GONE, 20_000);
    await limitDeleted(50_000);
    const user = await asUser({ api });
    const asked = await user.call('POST', '/m2m/v1/devices/actions/activate', {
      ...{ accountName: ACCOUNT, servicePlan: 'P-5MB', mdnZipCode: '10001' },
      devices: imeis.map((id) => ({ deviceIds: [{ id, kind: 'imei' }] })),
    });
    assert.equal(asked.statusCode, 200, asked.body);
    await engine.settle();
    const moved = sql`select count(*)::int as n from device where account_name = ${ACCOUNT} and imei = any(${imeis}::text[])`;
    assert.equal(await ctx.db.value(moved), imeis.length);
    await changeTriggers(ctx.db, sql`drop trigger too_many on position_history`);
  });

  it('find an interrupted deletion continued, by a repeated call or by the service', async () => {
    const path = `/accounts/${GONE}`;
    const on = sql`service_month`;
    for (const finish of [
      () => statusOf(operator('DELETE', path)),
      () => {
        pass(3_600_000);
        return finishAccountDeletions(undefined).run(ctx, {}, run);
      },
    ]) {
      await load({ accounts: [{ accountName: GONE, ecpdId: '9000001' }] });
      await load({ devices: [{ accountName: GONE, imei: GONE_IMEI, servicePlan: 'P-5MB' }] });
      await changeTriggers(
        ctx.db,
        sql`create or replace function break_off() returns trigger language plpgsql as 'begin raise exception ''broken''; end'`,
        sql`create trigger break_off before delete on ${on} for each statement execute function break_off()`,
      );
      assert.equal(await statusOf(operator('DELETE', path)), 500);
      await changeTriggers(ctx.db, sql`drop trigger break_off on ${on}`);
      assert.equal(await statusOf(operator('GET', path)), 404);
      await finish();
      await load({ accounts: [{ accountName: GONE, ecpdId: '9000009' }] });
      await operator('DELETE', path);
    }
    await other.close();
  });
});
