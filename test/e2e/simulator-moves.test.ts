import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, createOperatorClient, list, type OperatorRoute } from '../../clients/sdk/index.ts';
import { recordsBetween } from '../../clients/simulator/life/records.ts';
import { type Driven, readRoster } from '../../clients/simulator/roster.ts';
import { UUID_SHAPE } from '../../src/kernel/uuid.ts';
import {
  makeDataDir,
  removeDataDir,
  type ServiceProcess,
  startServiceProcess,
} from '../support/service-process.ts';

const SEED = 'of-these-moves';
const PRIMARY = '0000700001-00001';
/** The single move passes the accounts' midnight in one step; the many stop a few hours before it. */
const BEGINS = '2026-03-04T17:40:00Z';
/** Ids and times of detection. */
const MADE_UP = new RegExp(String.raw`${UUID_SHAPE}|\d{4}-\d\d-\d\dT[\d:.]+Z`, 'g');
/** Notifies whenever a truck has used this much in a day: every day has a cycle that closes. */
const trigger = {
  triggerId: '5f1c9a52-8a1b-4a0e-9d53-0d7f5c3b2a12',
  triggerName: 'Any truck on any day',
  ecpdId: '7000001',
  triggerCategory: 'PricePlanDataUsage',
  pricePlanTrigger: {
    payAsYouGo: {
      filterCriteria: { carrierServicePlanCode: 'LK-PAYG-5MB', accountNameList: [PRIMARY] },
      condition: {
        ...{ conditionType: 'Individual', comparator: 'gt', threshold: 100, thresholdUnit: 'KB' },
        cycleType: 'Daily',
      },
      action: { suspend: false, changePlan: false },
    },
  },
  notification: { notificationType: 'PerEvent', callback: true, emailNotification: false },
  active: true,
};

describe('a fleet simulated in one move of the clock and in many', () => {
  const dataDir = makeDataDir();
  let service: ServiceProcess;
  let operator: Caller<OperatorRoute>;
  let devices: Driven[];
  let begun: Date;

  const read = () => operator.call('GET /operator/v1/simulator');
  const advance = (text: string, life?: boolean) =>
    operator.call('POST /operator/v1/clock', { body: { advance: text, ...(life === false && { life }) } });
  const restore = () =>
    operator.call('POST /operator/v1/snapshots/{name}/restore', { path: { name: 'before' } });

  /** Each record once, although some arrive twice. */
  const usageBetween = (from: Date, to: Date) =>
    new Map(
      devices
        .flatMap((device) => recordsBetween(device, SEED, from, to).usage)
        .map((record) => [record.id, record]),
    );
  /** The new records when everything the fleet must have sent is fed again: none if it was sent. */
  async function feedAgain() {
    const { now } = await operator.call('GET /operator/v1/clock');
    const records = [...usageBetween(begun, new Date(now)).values()];
    const raw = records.map((record) => JSON.stringify(record)).join('\n');
    const { accepted, duplicates } = await operator.call('POST /operator/v1/usage', { raw });
    return { now: new Date(now), fed: records.length, accepted, duplicates };
  }

  /** Everything that happened, without times of detection and generated ids. */
  async function whatHappened() {
    const firings: unknown[] = [];
    for await (const { triggerId, subject, level, cycle } of list(operator, 'GET /operator/v1/firings', {
      query: { limit: 1_000 },
    }))
      firings.push([triggerId, subject, level, cycle]);
    const posted = await operator.call('GET /operator/v1/callbacks', { query: { limit: 1_000 } });
    const callbacks = posted.map(({ accountName, serviceName, payload }) => [
      ...[accountName, serviceName],
      JSON.stringify(payload).replaceAll(MADE_UP, '…'),
    ]);
    const sorted = (all: readonly unknown[]) => all.map((one) => JSON.stringify(one)).toSorted();
    return { firings: sorted(firings), callbacks: sorted(callbacks) };
  }

  before(async () => {
    service = await startServiceProcess(dataDir, {
      LINEKEEPER_DEMO: 'on',
      LINEKEEPER_SIMULATOR: 'on',
      LINEKEEPER_SIMULATOR_SEED: SEED,
      LINEKEEPER_NOW: BEGINS,
      LINEKEEPER_ADVANCE_WAIT_SECONDS: '600',
    });
    const { url: baseUrl, operatorKey } = service;
    operator = createOperatorClient({ baseUrl, operatorKey, timeoutMs: 600_000 });
    const path = { accountName: PRIMARY };
    const listed = await operator.call('GET /operator/v1/accounts/{accountName}/devices', { path });
    const truck = listed.find(({ imei, state }) => imei?.startsWith('9971001') && state === 'active');
    const rule = {
      name: 'On the road',
      rulesyntax: 'json',
      rulechain: { field: 'speed', operator: 'gt', value: 1 },
    };
    const rules = [{ accountName: PRIMARY, deviceImei: truck?.imei, ...rule }];
    const raw = JSON.stringify({ pricePlanTriggers: [trigger], rules });
    await operator.call('POST /operator/v1/import', { raw });
    while ((await read()).lastTick === undefined) await sleep(100);
    begun = new Date((await read()).lastTick ?? '');
    devices = (await readRoster(operator)).filter(({ silenced }) => !silenced);
    await operator.call('POST /operator/v1/clock', { body: { freeze: true } });
    await operator.call('POST /operator/v1/snapshots', { body: { name: 'before' } });
  });
  after(async () => {
    await service.stop();
    removeDataDir(dataDir);
  });

  it('sends the same usage and readings, and the same triggers and rules fire', async () => {
    const lived = async (moves: readonly string[]) => {
      await restore();
      for (const move of moves) await advance(move);
      const { fed, accepted, duplicates } = await feedAgain();
      assert.deepEqual([accepted, duplicates], [0, fed]);
      return whatHappened();
    };
    const atOnce = await lived(['P2D']);
    const inParts = await lived(['PT7H', 'PT30M', 'PT16H30M', 'PT24H']);
    assert.ok(atOnce.firings.length > 5, `${atOnce.firings.length} firings`);
    assert.ok(
      atOnce.callbacks.some((line) => line.includes('On the road')),
      'no rule has raised an alert',
    );
    assert.deepEqual(inParts, atOnce);
  });

  it('stands still while only the clock moves, and continues afterwards', async () => {
    await restore();
    await advance('P2D', false);
    const rested = new Date((await operator.call('GET /operator/v1/clock')).now);
    await advance('PT12H');
    const { now, fed, accepted, duplicates } = await feedAgain();
    const lived = usageBetween(rested, now).size;
    assert.deepEqual([accepted, duplicates], [fed - lived, lived]);
    assert.ok(lived > 0 && lived < fed / 2, `${lived} of ${fed}`);
  });
});
