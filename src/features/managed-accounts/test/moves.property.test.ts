import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../../../../test/support/cases.ts';
import { asUser, CLIENT } from '../../../../test/support/fleet.ts';
import { nobodyEvaluates } from '../../../../test/support/nobody-evaluates.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { recordTransactions } from '../../usage/index.ts';
import { makeNaiveLedger } from './naive-ledger.ts';

const ECPD = '9000001';
const ZONES = {
  '1-00001': 'UTC',
  '1-00002': 'America/Los_Angeles',
  '1-00003': 'Asia/Tokyo',
  '1-00004': 'UTC',
} as const;
type Name = keyof typeof ZONES;
const NAMES = Object.keys(ZONES) as Name[];
const SERVICES = ['Location', 'fota'] as const;
const SKU = 'SVC-LOC-COARSE-CellID-Aggr';
const imeiOf = (name: string) => `99000000000000${name.at(-1)}`;

const world = await makeWorld({ settings: { loginsPerMinute: 0 } });
await world.import({
  profiles: [{ ecpdId: ECPD }],
  clients: [CLIENT],
  accounts: NAMES.map((accountName) => ({
    ...{ accountName, ecpdId: ECPD, timeZone: ZONES[accountName] },
    ...{ aggregatedBilling: true, locationRegistered: true },
  })),
  users: NAMES.map((name) => ({ username: name, password: `password-${name}`, accounts: [name] })),
  plans: [{ code: 'P', name: 'P', kind: 'payAsYouGo' }],
  devices: NAMES.map((accountName) => ({ accountName, imei: imeiOf(accountName), servicePlan: 'P' })),
  subscriptions: NAMES.flatMap((accountName) =>
    SERVICES.map((serviceName) => ({ accountName, serviceName, skuName: SKU, allowance: 1_000 })),
  ),
});
const { db } = world.ctx;

const startOver = () =>
  db.exec(sql`
    truncate service_transaction, service_day, service_billed_day, service_month, service_month_line, usage_record,
      managed_account, managed_period`);

const callers = new Map<string, Awaited<ReturnType<typeof asUser>>['call']>();
/** The clock jumps further than a session lasts. */
function pass(ms: number): void {
  world.pass(ms);
  callers.clear();
}
async function send(name: string, method: string, path: string, body?: object) {
  const call =
    callers.get(name) ?? (await asUser(world, { username: name, password: `password-${name}` })).call;
  callers.set(name, call);
  return call(method, `/${path}`, body);
}
async function ask(...request: Parameters<typeof send>) {
  const answer = await send(...request);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
}

const MINUTE_MS = 60_000;
const Step = fc.record({
  what: fc.constantFrom('use', 'use', 'use', 'activate', 'activate', 'cancel'),
  account: fc.constantFrom(...NAMES),
  primary: fc.constantFrom(...NAMES),
  service: fc.constantFrom(...SERVICES, 'Location' as const),
  /** After the previous one. */
  afterMinutes: fc.integer({ min: 1, max: 36 * 60 }),
  /** How late a use is reported. */
  agoMinutes: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 10 * 24 * 60 })),
  repeats: fc.boolean(),
});
type Step = typeof Step extends fc.Arbitrary<infer S> ? S : never;
type Model = ReturnType<typeof makeNaiveLedger>;

const PATH = 'subsc/v1/managedaccounts';
const skuOf = (service: string) => (service === 'Location' ? SKU : 'F');
const nowMs = () => world.clock.now().getTime();

async function activate({ account, primary, service }: Step, model: Model): Promise<void> {
  const named = { serviceName: service, type: skuOf(service) };
  const addition = { accountName: primary, ...named, managedAccList: [account] };
  const added = await send(primary, 'POST', `${PATH}/actions/add`, addition);
  const isAdded = added.statusCode === 200 && added.json().statusList[0].status === 'Success';
  assert.equal(isAdded, model.mayActivate(account, primary, service), added.body);
  if (!isAdded) return;
  const activation = { accountName: account, paccountName: primary, ...named, txid: added.json().txid };
  assert.equal((await ask(account, 'POST', `${PATH}/actions/provision`, activation)).status, 'Success');
  model.activate(account, primary, service, nowMs());
}

async function cancel({ account, service }: Step, model: Model): Promise<void> {
  const primary = model.primaryOf(account, service);
  if (primary === undefined) return;
  const { managedAccProvisionedList } = await ask(primary, 'GET', `${PATH}/${primary}/service/${service}`);
  const { txid } = managedAccProvisionedList.find(({ id }: { id: string }) => id === account);
  await ask(account, 'POST', `${PATH}/actions/cancel`, {
    ...{ accountName: account, paccountName: primary, serviceName: service, type: skuOf(service), txid },
  });
  model.cancel(account, service, nowMs());
}

/** Fota uses arrive by the feed. Positions are recorded directly, because otherwise they could not be late. */
async function recordUse(account: string, service: 'Location' | 'fota', id: string, at: Date): Promise<void> {
  if (service === 'fota') {
    const record = { id, kind: 'imei', device: imeiOf(account), at, bytes: 1, serviceName: service };
    assert.equal((await world.operator('POST', '/usage', [record])).statusCode, 200);
    return;
  }
  const deviceId = '00000000-0000-0000-0000-000000000001';
  await world.ctx.db.tx((tx) =>
    recordTransactions(
      { ...world.ctx, db: tx },
      ECPD,
      [{ accountName: account, serviceName: service, requestRef: id, deviceId, at }],
      nobodyEvaluates.watchServices,
    ),
  );
}

let uses = 0;
async function use({ account, service, agoMinutes, repeats }: Step, model: Model): Promise<void> {
  const at = new Date(nowMs() - agoMinutes * MINUTE_MS);
  const id = `u${++uses}`;
  for (let times = repeats ? 2 : 1; times > 0; times--) await recordUse(account, service, id, at);
  model.use({ account, service, atMs: at.getTime() });
}

const wireDay = (day: string) => `${day.slice(5)}-${day.slice(0, 4)}`;

async function compareReports(model: Model, ranges: readonly (readonly [string, string])[]): Promise<void> {
  for (const name of NAMES)
    for (const [from, to] of ranges)
      for (const usageForAllAccounts of [false, true]) {
        const report = await ask(name, 'POST', 'loc/v1/usage', {
          ...{ accountName: name, startDate: wireDay(from), endDate: wireDay(to), usageForAllAccounts },
        });
        const toPair = (each: { accountName: string; transactionsCount: string }) => [
          each.accountName,
          Number(each.transactionsCount),
        ];
        const { transactionsCount } = report.PrimaryAccount;
        assert.deepEqual(
          {
            primary: transactionsCount === undefined ? undefined : Number(transactionsCount),
            managed: report.ManagedAccounts.map(toPair),
            total: Number(report.totalTransactionCount),
          },
          model.report(name, usageForAllAccounts, from, to),
          `${name} ${from} to ${to}${usageForAllAccounts ? ', all accounts' : ''}`,
        );
      }
}

const MONTHS = ['2026-01', '2026-02', '2026-03'];

async function compareStatements(model: Model): Promise<void> {
  for (const name of NAMES)
    for (const service of SERVICES)
      for (const month of MONTHS) {
        const { lines } = (
          await world.operator('GET', `/accounts/${name}/statements/${service}/${month}`)
        ).json();
        assert.deepEqual(
          lines.map((line: { accountName: string; transactionsCount: string }) => [
            line.accountName,
            Number(line.transactionsCount),
          ]),
          model.statement(name, service, month),
          `statement of ${name} for ${service} in ${month}`,
        );
      }
}

async function compareCounters(model: Model): Promise<void> {
  for (const name of NAMES) {
    const services = (await world.operator('GET', `/accounts/${name}/services`)).json();
    for (const { serviceName, used } of services)
      assert.equal(used, model.used(name, serviceName, nowMs()), `${serviceName} of ${name}`);
    const { differences } = (await world.operator('GET', `/usage/differences?accountName=${name}`)).json();
    assert.deepEqual(differences, []);
  }
}

const Day = fc
  .integer({ min: 0, max: 60 })
  .map((n) => new Date(Date.UTC(2026, 0, 10 + n)).toISOString().slice(0, 10));
const Range = fc.tuple(Day, Day).map((days) => days.toSorted() as [string, string]);

// proves location/moved-accounts
describe('a use', () => {
  // proves location/moved-accounts
  it('counts for its payer at its time in reports, statements and counters, however accounts move and however late it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(Step, { minLength: 1, maxLength: 30, size: 'max' }),
        Range,
        async (steps, range) => {
          await startOver();
          world.clock.holdAt(new Date('2026-01-22T12:00:00Z'));
          callers.clear();
          const model = makeNaiveLedger(ZONES);
          for (const step of steps) {
            pass(step.afterMinutes * MINUTE_MS);
            await { use, activate, cancel }[step.what](step, model);
          }
          await compareReports(model, [range, ['2026-01-01', '2026-01-31'], ['2026-02-01', '2026-02-28']]);
          await compareStatements(model);
          await compareCounters(model);
        },
      ),
      { numRuns: casesOf({ everyday: 3, all: 8 }), endOnFailure: true },
    );
  });
});
