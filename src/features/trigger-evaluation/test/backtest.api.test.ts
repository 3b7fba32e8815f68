import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asUser, CLIENT } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import {
  A,
  ALLOWANCE,
  ageing,
  B,
  below,
  ECPD,
  imei,
  KB,
  openClosingScenes,
  paygRule,
} from './closing-scene.ts';

const makeClosingScene = await openClosingScenes();

const line = (n: number, more: object = {}) => ({ imei: imei(n), accountName: A, ...more });
const PATH = '/m2m/v2/triggers/actions/backtest';
const MARCH = { from: '2026-03-01', to: '2026-03-31' };

interface Answered {
  readonly level: number;
  readonly accountName: string;
  readonly usageRecordId: string;
  readonly action: { readonly type: string; readonly fromAccounts?: string[] };
}

async function makeBacktestScene(scenery: Parameters<typeof makeClosingScene>[0]) {
  const users = [
    { username: 'owner', password: 'owner-password', accounts: [A, B] },
    { username: 'part', password: 'part-password', accounts: [A] },
  ];
  const scene = await makeClosingScene({ ...scenery, people: { clients: [CLIENT], users } });
  const ask = async (pricePlanTrigger: object, period: object = MARCH, username = 'owner') => {
    const { call } = await asUser(scene.world, { username, password: `${username}-password` });
    return call('POST', PATH, { pricePlanTrigger, period });
  };
  const firings = async (pricePlanTrigger: object, period: object = MARCH) => {
    const answer = await ask(pricePlanTrigger, period);
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json().firings;
  };
  return { ...scene, ask, firings };
}

const AT_NOON = { at: '2026-03-10T12:00:00Z', lines: [line(1), line(2, { accountName: B }), line(3)] };

const suspend = (more: object = {}) => ({
  suspend: true,
  suspendDetails: { suspendFromAccounts: [A], suspendDuration: '30', suspendOption: 'WithBilling', ...more },
});
const over = (kb: number, more: object = {}) => below(kb, 'Monthly', { comparator: 'gt', ...more });
const poolMoves = (direction: 'changePlanGT' | 'changePlanLT') => ({
  accountGroupShare: {
    accountGroupSharePool: {
      filterCriteria: { ratePlanGroupId: 7 },
      condition: { action: 'changePricePlan' },
      action: {
        changePlan: {
          [direction]: {
            changePlan: [{ fromCarrierCode: 'CARRIER-P', toCarrierCode: 'CARRIER-Q' }],
            dataPoolOverageBuffer: 10,
          },
        },
      },
    },
  },
});

describe(`POST ${PATH}`, () => {
  it('200: says what would have fired, for which subject, why and with which action, and does nothing', async () => {
    const scene = await makeBacktestScene({ at: '2026-03-10T12:00:00Z', lines: [line(1), line(2)] });
    await scene.feed(imei(1), '2026-03-10T11:00:00Z', 3 * KB);
    await scene.feed(imei(1), '2026-03-10T11:30:00Z', 3 * KB);
    await scene.feed(imei(2), '2026-03-10T11:30:00Z', 5 * KB);
    const [only, ...others] = await scene.firings(paygRule(over(5), [A], suspend()));
    assert.deepEqual(others, []);
    const { subject, ...details } = only;
    assert.match(subject, /^[0-9a-f-]{36}$/);
    assert.deepEqual(details, {
      deviceIds: [{ id: imei(1), kind: 'imei' }],
      deviceName: imei(1),
      accountName: A,
      level: 5 * KB,
      levelKind: 'bytes',
      cycle: { from: '2026-03-01T00:00:00.000Z', to: '2026-04-01T00:00:00.000Z' },
      at: '2026-03-10T12:00:00.000Z',
      before: 3 * KB,
      after: 6 * KB,
      threshold: 5 * KB,
      usageRecordId: 'r1',
      late: false,
      action: { type: 'suspend', suspendDuration: '30', suspendOption: 'WithBilling' },
    });
    assert.deepEqual(await scene.fired(), []);
    const [left] = await scene.db.many<object>(sql`
      select (select count(*)::int from price_plan_trigger) as triggers,
        (select count(*)::int from device where state <> 'active') as suspended`);
    assert.deepEqual(left, { triggers: 0, suspended: 0 });
  });

  it('200: names the plan, accounts and moves of the actions', async () => {
    const scene = await makeBacktestScene({
      at: '2026-03-10T12:00:00Z',
      lines: [line(1), line(2, { accountName: B })],
    });
    await scene.feed(imei(1), '2026-03-10T11:00:00Z', 2 * ALLOWANCE);
    const actions = async (rule: object) =>
      (await scene.firings(rule)).map(({ action }: { action: object }) => action);
    const change = { changePlan: true, changePlanDetails: { toCarrierServicePlanCode: 'CARRIER-Q' } };
    assert.deepEqual(await actions(paygRule(over(1), [A], change)), [
      { type: 'changePlan', toCarrierServicePlanCode: 'CARRIER-Q' },
    ]);
    const level = over(1, { conditionType: 'AccountLevel', separateOrCombined: 'Combined' });
    assert.deepEqual(await actions(paygRule(level, [A, B], suspend({ threshold: 2, thresholdUnit: 'KB' }))), [
      { type: 'notify' },
      { type: 'suspend', suspendDuration: '30', suspendOption: 'WithBilling', fromAccounts: [A] },
    ]);
    assert.deepEqual(await actions(poolMoves('changePlanGT')), [
      {
        type: 'changePlan',
        moves: [{ fromCarrierCode: 'CARRIER-P', toCarrierCode: 'CARRIER-Q' }],
      },
    ]);
    scene.world.clock.holdAt(new Date('2026-04-02T00:00:00Z'));
    await scene.feed(imei(2), '2026-03-31T23:00:00Z', 2 * ALLOWANCE);
    const late = await scene.firings(paygRule(over(1), [B], { ...suspend({ suspendFromAccounts: [B] }) }));
    assert.deepEqual(
      late.map(({ late, action }: { late: boolean; action: object }) => [late, action]),
      [[true, { type: 'notify' }]],
    );
  });

  it('200: suspends only at the highest percentage, and only lines of the account that reached it', async () => {
    const scene = await makeBacktestScene(AT_NOON);
    await scene.feed(imei(1), '2026-03-10T11:00:00Z', 2 * ALLOWANCE);
    await scene.feed(imei(2), '2026-03-10T11:00:00Z', ALLOWANCE);
    const actions = async (condition: object, suspendFromAccounts: readonly string[], more: object = {}) =>
      (await scene.firings(paygRule(condition, [A, B], suspend({ suspendFromAccounts, ...more }))))
        .map(({ level, accountName, action: { type, fromAccounts } }: Answered) =>
          [level, accountName, type, fromAccounts].flat().filter(Boolean).join(' '),
        )
        .sort();
    const flags = { conditionType: 'UsageAllowance', percentage50: true, percentage90: true };
    assert.deepEqual(await actions(flags, [A, B]), [
      `50 ${A} notify`,
      `50 ${B} notify`,
      `90 ${A} suspend ${A}`,
      `90 ${B} suspend ${B}`,
    ]);
    const level = over(KB, { conditionType: 'AccountLevel', separateOrCombined: 'Separate' });
    assert.deepEqual(await actions(level, [A], { threshold: 2, thresholdUnit: 'KB' }), [
      `2048 ${A} suspend ${A}`,
      `2048 ${B} notify`,
    ]);
  });

  it('200: returns a percentage that a line reached on two plans once, as it fires', async () => {
    const scene = await makeBacktestScene(AT_NOON);
    const half = (carrierCode: string) => ({ carrierCode, percentage: { percentage50: true } });
    const rule = {
      accountGroupShare: {
        accountGroupShareIndividual: {
          filterCriteria: { ratePlanGroupId: 7 },
          condition: { action: 'notify' },
          action: { notify: { threshold: [half('CARRIER-P'), half('CARRIER-Q')] } },
        },
      },
    };
    await scene.write(1, rule);
    await scene.feed(imei(3), '2026-03-10T11:00:00Z', ALLOWANCE);
    await scene.world.import({ devices: [{ ...line(3), servicePlan: 'Q' }] });
    scene.world.pass(60_000);
    await scene.feed(imei(3), '2026-03-10T12:01:00Z', ALLOWANCE);
    assert.equal((await scene.fired()).length, 1);
    assert.deepEqual(
      (await scene.firings(rule)).map(({ usageRecordId }: Answered) => usageRecordId),
      ['r0'],
    );
  });

  it('200: counts a cycle from its beginning, and returns levels reached on days of the period', async () => {
    const scene = await makeBacktestScene({ at: '2026-03-20T12:00:00Z', lines: [line(1)] });
    await scene.feed(imei(1), '2026-03-05T11:00:00Z', 2 * KB);
    await scene.feed(imei(1), '2026-03-15T11:00:00Z', 2 * KB);
    await scene.feed(imei(1), '2026-03-19T11:00:00Z', 2 * KB);
    const records = async (kb: number, period: object) =>
      (await scene.firings(paygRule(over(kb)), period)).map(
        ({ usageRecordId }: { usageRecordId: string }) => usageRecordId,
      );
    const middle = { from: '2026-03-10', to: '2026-03-18' };
    assert.deepEqual(await records(1, middle), []);
    assert.deepEqual(await records(3, middle), ['r1']);
    assert.deepEqual(await records(5, middle), []);
    assert.deepEqual(await records(5, { from: '2026-03-19', to: '2026-03-19' }), ['r2']);
  });

  it('200: returns firings at the end of cycles, like those of the existing trigger', async () => {
    const scene = await makeBacktestScene({
      at: '2026-02-27T12:00:00Z',
      accounts: { [A]: { billCycleDay: 12 } },
      lines: [line(1), line(2, { planSince: '2026-01-12T00:00:00Z' }), line(3, { accountName: B })],
    });
    const level = (separateOrCombined: string) =>
      paygRule(below(4, 'Weekly', { conditionType: 'AccountLevel', separateOrCombined }), [A, B]);
    const rules = [
      paygRule(below(2, 'Daily'), [A, B]),
      level('Separate'),
      level('Combined'),
      ageing(3),
      poolMoves('changePlanLT'),
    ];
    for (const [n, rule] of rules.entries()) await scene.write(n + 1, rule);
    for (const day of ['2026-02-20', '2026-02-26', '2026-02-27'])
      await scene.feed(imei(1), `${day}T00:00:00Z`, 3 * KB);
    await scene.advanceTo('2026-03-05T12:00:00Z');
    await scene.feed(imei(3), '2026-03-05T11:00:00Z', 5 * KB);
    await scene.advanceTo('2026-04-01T00:00:00Z');
    const live = await scene.fired();
    for (const [n, rule] of rules.entries()) {
      const replayed = await scene.firings(rule, { from: '2026-02-27', to: '2026-03-31' });
      const texts = (
        list: readonly { kind: string; level: number; from: string; after: number; at: string }[],
      ) => list.map(({ kind, level, from, after, at }) => `${kind} ${level} ${from} ${after} ${at}`).sort();
      const own = live.filter(({ trigger }) => trigger === n + 1);
      assert.ok(own.length > 0);
      assert.deepEqual(
        texts(
          replayed.map(
            (firing: {
              levelKind: string;
              level: number;
              cycle: { from: string };
              after: number;
              at: string;
            }) => ({
              ...firing,
              kind: firing.levelKind,
              from: firing.cycle.from,
            }),
          ),
        ),
        texts(own),
      );
    }
  });

  it('200: returns the first thousand, and says that there are more', async () => {
    const lines = Array.from({ length: 1_001 }, (_, n) => line(n + 1));
    const scene = await makeBacktestScene({ at: '2026-03-09T12:00:00Z', lines });
    scene.world.clock.holdAt(new Date('2026-03-10T12:00:00Z'));
    const yesterday = { from: '2026-03-09', to: '2026-03-09' };
    const answer = (await scene.ask(paygRule(below(1, 'Daily')), yesterday)).json();
    assert.deepEqual([answer.firings.length, answer.truncated], [1_000, true]);
    await scene.feedAll(
      lines.map(({ imei }) => ({ device: imei, at: '2026-03-09T12:00:00Z', bytes: 2 * KB })),
    );
    const second = (await scene.ask(paygRule(over(1)), yesterday)).json();
    assert.deepEqual([second.firings.length, second.truncated], [1_000, true]);
  });

  it('400 and 401: refuses unusable periods, invalid rules, and accounts of others', async () => {
    const scene = await makeBacktestScene({ at: '2026-06-10T12:00:00Z', lines: [line(1)] });
    const refusal = async (...args: Parameters<typeof scene.ask>) => {
      const answer = await scene.ask(...args);
      const { error, error_description: text } = answer.json();
      return `${answer.statusCode} ${error} ${text}`;
    };
    const rule = paygRule(over(1));
    assert.match(
      await refusal(rule, { from: '2026-02-30', to: '2026-03-01' }),
      /^400 invalid_period .*days like/,
    );
    assert.match(
      await refusal(rule, { from: '2026-03-02', to: '2026-03-01' }),
      /^400 invalid_period .*before/,
    );
    assert.match(await refusal(rule, { from: '2026-03-01', to: '2026-06-01' }), /^400 invalid_period .*92/);
    assert.match(await refusal(rule, { from: '2026-03-01' }), /^400 /);
    assert.match(await refusal(paygRule({ conditionType: 'Individual' })), /^400 invalid_trigger /);
    assert.match(await refusal(paygRule(over(1), [A, B]), MARCH, 'part'), /^401 /);
    assert.match(await refusal(poolMoves('changePlanGT'), MARCH, 'part'), /^401 /);
    await scene.db.exec(
      sql`insert into usage_ledger_start (ecpd_id, starts_on) values (${ECPD}, '2026-03-05')`,
    );
    assert.match(
      await refusal(rule, { from: '2026-03-31', to: '2026-03-31' }),
      /^400 invalid_period .*2026-03-05/,
    );
    assert.equal((await scene.ask(rule, { from: '2026-04-01', to: '2026-04-02' })).statusCode, 200);
  });
});
