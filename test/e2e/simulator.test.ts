import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, createOperatorClient, type OperatorRoute } from '../../clients/sdk/index.ts';
import { recordsBetween } from '../../clients/simulator/life/records.ts';
import { type Driven, readRoster } from '../../clients/simulator/roster.ts';
import {
  makeDataDir,
  removeDataDir,
  type ServiceProcess,
  startServiceProcess,
} from '../support/service-process.ts';

const SEED = 'of-this-test';
const TRIGGER = '5f1c9a52-8a1b-4a0e-9d53-0d7f5c3b2a11';
const PLAN = 'LK-PAYG-5MB';
const PRIMARY = '0000700001-00001';

describe('the simulated fleet of a sandbox', () => {
  const dataDir = makeDataDir();
  let service: ServiceProcess;
  let operator: Caller<OperatorRoute>;
  let trucks: Driven[];
  let begun: Date;

  const read = () => operator.call('GET /operator/v1/simulator');
  const advance = (text: string) => operator.call('POST /operator/v1/clock', { body: { advance: text } });
  /** Ids of the simulator processes that the service has started. */
  const simulators = () =>
    execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(service.child.pid)], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes('clients/simulator/main.ts'))
      .map((line) => Number(line.trim().split(' ')[0]));
  /** Feeds everything that must have been sent by now; new records were not sent. */
  async function feedAgain(until: Date) {
    const records = trucks.flatMap((truck) => recordsBetween(truck, SEED, begun, until).usage);
    const raw = records.map((record) => JSON.stringify(record)).join('\n');
    return { fed: records.length, ...(await operator.call('POST /operator/v1/usage', { raw })) };
  }

  before(async () => {
    service = await startServiceProcess(dataDir, {
      LINEKEEPER_DEMO: 'on',
      LINEKEEPER_SIMULATOR: 'on',
      LINEKEEPER_SIMULATOR_SEED: SEED,
      LINEKEEPER_LOG_LEVEL: 'info',
      LINEKEEPER_ADVANCE_WAIT_SECONDS: '600',
    });
    operator = createOperatorClient({
      baseUrl: service.url,
      operatorKey: service.operatorKey,
      timeoutMs: 600_000,
    });
    await operator.call('POST /operator/v1/import', {
      raw: JSON.stringify({
        pricePlanTriggers: [
          {
            triggerId: TRIGGER,
            triggerName: 'Any truck at all',
            ecpdId: '7000001',
            triggerCategory: 'PricePlanDataUsage',
            pricePlanTrigger: {
              payAsYouGo: {
                filterCriteria: { carrierServicePlanCode: PLAN, accountNameList: [PRIMARY] },
                condition: {
                  conditionType: 'Individual',
                  comparator: 'gt',
                  threshold: 20,
                  thresholdUnit: 'KB',
                  cycleType: 'Daily',
                },
                action: { suspend: false, changePlan: false },
              },
            },
            notification: { notificationType: 'PerEvent', callback: false, emailNotification: false },
            active: true,
          },
        ],
      }),
    });
    while ((await read()).lastTick === undefined) await sleep(100);
    begun = new Date((await read()).lastTick ?? '');
    trucks = (await readRoster(operator)).filter(
      ({ profile, silenced }) => profile === 'tracker' && !silenced,
    );
  });
  after(async () => {
    await service.stop();
    removeDataDir(dataDir);
  });

  it('is simulated through a move of the clock, and triggers fire on the way', async () => {
    const before = await operator.call('GET /operator/v1/clock');
    await advance('P3D');
    const { lastTick = '', lastError } = await read();
    assert.equal(lastError, undefined);
    assert.ok(
      Date.parse(lastTick) >= Date.parse(before.now) + 3 * 86_400_000,
      `${lastTick} is its last tick`,
    );
    assert.equal((await operator.call('GET /operator/v1/clock')).offsetMs, before.offsetMs + 3 * 86_400_000);
    const firings = await operator.call('GET /operator/v1/firings', { query: { triggerId: TRIGGER } });
    const hours = new Set(firings.map(({ firedAt }) => String(firedAt).slice(0, 13)));
    const days = new Set([...hours].map((hour) => hour.slice(0, 10)));
    assert.ok(hours.size >= 3 && days.size >= 3, `${firings.length} firings in ${hours.size} hours`);
  });

  it('calls the service without lines in the log, unlike other callers', () => {
    assert.match(service.output(), /"operator":"first".*"answered"/);
    assert.doesNotMatch(service.output(), /"operator":"simulator".*"answered"/);
  });

  it('has one line in the audit log for each kind of change, and none for reads', async () => {
    const lines = await operator.call('GET /operator/v1/audit', { query: { actor: 'simulator' } });
    assert.deepEqual(lines.map(({ action }) => action).toSorted(), [
      'operatorFeedPositions',
      'operatorFeedReadings',
      'operatorFeedUsage',
      'operatorSimulateDevices',
    ]);
    const usage = lines.find(({ action }) => action === 'operatorFeedUsage')?.after as { calls: number };
    assert.ok(usage.calls >= 6, `${usage.calls} calls`);
  });

  it('continues where it was if its process is killed, without duplicates or losses', async () => {
    const [pid] = simulators();
    assert.ok(pid !== undefined);
    process.kill(pid, 'SIGKILL');
    await advance('PT6H');
    await advance('PT1H');
    const { lastTick = '' } = await read();
    const { fed, accepted, duplicates } = await feedAgain(new Date(lastTick));
    assert.deepEqual([accepted, duplicates], [0, fed]);
    assert.ok(fed > 100);
    assert.notDeepEqual(simulators(), [pid]);
    const differences = await operator.call('GET /operator/v1/usage/differences', {
      query: { accountName: PRIMARY },
    });
    assert.deepEqual(differences.differences, []);
  });

  it('runs at the configured speed', async () => {
    const before = await operator.call('GET /operator/v1/clock');
    await operator.call('PATCH /operator/v1/simulator', { body: { speed: 600 } });
    let offsetMs = before.offsetMs;
    const until = Date.now() + 30_000;
    while (offsetMs < before.offsetMs + 600_000 && Date.now() < until) {
      await sleep(200);
      ({ offsetMs } = await operator.call('GET /operator/v1/clock'));
    }
    assert.ok(offsetMs >= before.offsetMs + 600_000, `${offsetMs - before.offsetMs} ms in 30 s`);
  });

  it('lets other callers move the clock first, however fast it runs', async () => {
    for (let nth = 0; nth < 12; nth++) {
      const { offsetMs } = await operator.call('GET /operator/v1/clock');
      await advance('PT10S');
      const after = await operator.call('GET /operator/v1/clock');
      assert.ok(after.offsetMs >= offsetMs + 10_000, `${after.offsetMs - offsetMs} ms`);
    }
    assert.equal((await operator.call('PATCH /operator/v1/simulator', { body: { speed: 1 } })).speed, 1);
  });

  it('stands still when it is stopped, and does not catch up afterwards', async () => {
    while ((await operator.call('GET /operator/v1/clock')).movingTo !== undefined) await sleep(100);
    const { lastTick } = await operator.call('PATCH /operator/v1/simulator', { body: { running: false } });
    assert.deepEqual(simulators(), []);
    await advance('PT12H');
    assert.equal((await read()).lastTick, lastTick);
    await operator.call('PATCH /operator/v1/simulator', { body: { running: true } });
    while ((await read()).lastTick === lastTick) await sleep(100);
    const { fed, accepted } = await feedAgain(new Date((await read()).lastTick ?? ''));
    assert.ok(accepted > 0 && accepted < fed, `${accepted} of ${fed} were never sent`);
  });

  it('ends with the service', async () => {
    const [pid] = simulators();
    assert.equal(await service.stop(), 0);
    assert.throws(() => process.kill(pid ?? 0, 0), { code: 'ESRCH' });
  });
});
