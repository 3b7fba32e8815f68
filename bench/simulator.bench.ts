import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOperatorClient } from '../clients/sdk/index.ts';
import { makeDataDir, removeDataDir, startServiceProcess } from '../test/support/service-process.ts';
import { readCpuMsOf } from './support/cpu-time.ts';
import { alone, type Finding } from './support/report.ts';
import { notePeak } from './support/resident-memory.ts';

const DEVICES = 10_000;
/** Four ticks of the simulator. */
const MEASURED_MS = 120_000;
const PERCENT_MAX = 10;
const MONTH_SECONDS_MAX = 30;
const ACCOUNT = '0000123456-00001';
const SITES = ['Dallas', 'Chicago', 'Atlanta', 'Denver', 'Fresno', 'Phoenix'];
/** Four of ten devices are trackers and three are meters; the type codes are those of the demo fleet. */
const TYPE_CODES = [
  ...['99710011', '99710011', '99710012', '99710012', '00710021', '00710021', '99710022'],
  ...['99710031', '99710032', '99710041'],
];

function checkDigit(digits: string): number {
  const sum = [...digits].reduce((total, digit, n) => {
    const value = Number(digit) * (n % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

const fleet = () => ({
  profiles: [{ ecpdId: '9000001' }],
  accounts: [{ accountName: ACCOUNT, ecpdId: '9000001' }],
  plans: [{ code: 'P', name: 'P', kind: 'unlimited', allowanceBytes: 1e12 }],
  devices: Array.from({ length: DEVICES }, (_, n) => {
    const digits = `${TYPE_CODES[n % TYPE_CODES.length]}${String(n).padStart(6, '0')}`;
    return {
      accountName: ACCOUNT,
      imei: `${digits}${checkDigit(digits)}`,
      state: 'active',
      servicePlan: 'P',
      labels: [{ name: 'Site', value: SITES[n % SITES.length]! }],
    };
  }),
});

/** 10:00 on a Tuesday in Dallas, when lorries are on the road. */
function busyTime(after: Date): Date {
  const at = new Date(after.getTime() + 86_400_000);
  at.setUTCHours(16, 0, 0, 0);
  while (at.getUTCDay() !== 2) at.setTime(at.getTime() + 86_400_000);
  return at;
}

const findSimulator = (servicePid: number): number | undefined =>
  execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(servicePid)], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('clients/simulator/main.ts'))
    .map((line) => Number(line.trim().split(' ')[0]))[0];

/** Simulates the demo fleet of a sandbox through one move of the clock. */
async function livedMonth(): Promise<Finding> {
  const dataDir = makeDataDir();
  const service = await startServiceProcess(dataDir, {
    ...{ LINEKEEPER_DEMO: 'on', LINEKEEPER_SIMULATOR: 'on', LINEKEEPER_LOG_LEVEL: 'warn' },
    LINEKEEPER_ADVANCE_WAIT_SECONDS: '600',
  });
  const { url: baseUrl, operatorKey } = service;
  const operator = createOperatorClient({ baseUrl, operatorKey, timeoutMs: 600_000 });
  try {
    const read = () => operator.call('GET /operator/v1/simulator');
    while ((await read()).lastTick === undefined) await sleep(200);
    const before = performance.now();
    const { now } = await operator.call('POST /operator/v1/clock', { body: { advance: 'P30D' } });
    const seconds = (performance.now() - before) / 1_000;
    const { lastTick = '', lastError } = await read();
    // The last tick is at the end of the move; the clock has run on since then.
    if (lastError !== undefined || Date.parse(now) - Date.parse(lastTick) > 1_000 * seconds + 60_000)
      throw new Error(lastError ?? `it has lived until ${lastTick} only`);
    return alone('A month of the living demo fleet in one move of the clock, s', [seconds], {
      atMost: MONTH_SECONDS_MAX,
    });
  } finally {
    notePeak(service.child.pid!);
    await service.stop();
    removeDataDir(dataDir);
  }
}

/** Processor time of the simulator's process while it drives 10,000 devices in real time, as a share of one core. */
async function shareOfCore(): Promise<Finding> {
  const dataDir = makeDataDir();
  const service = await startServiceProcess(dataDir, { LINEKEEPER_LOG_LEVEL: 'warn' });
  const operator = createOperatorClient({
    baseUrl: service.url,
    operatorKey: service.operatorKey,
    timeoutMs: 300_000,
  });
  try {
    const { now } = await operator.call('GET /operator/v1/clock');
    await operator.call('POST /operator/v1/clock', {
      body: { set: busyTime(new Date(now)).toISOString() },
    });
    await operator.call('POST /operator/v1/import', { raw: JSON.stringify(fleet()) });
    const read = () => operator.call('GET /operator/v1/simulator');
    await operator.call('PATCH /operator/v1/simulator', { body: { running: true } });
    // The first tick reports all positions to the network, which happens only once.
    while ((await read()).lastTick === undefined) await sleep(200);
    const begun = (await read()).lastTick ?? '';
    const pid = findSimulator(service.child.pid ?? 0) ?? 0;
    const [cpuBefore, wallBefore] = [readCpuMsOf(pid) ?? Number.NaN, performance.now()];
    await sleep(MEASURED_MS);
    const share = ((readCpuMsOf(pid) ?? Number.NaN) - cpuBefore) / (performance.now() - wallBefore);
    const { lastTick = '', lastError } = await read();
    if (lastError !== undefined) throw new Error(lastError);
    const livedMs = Date.parse(lastTick) - Date.parse(begun);
    if (livedMs < MEASURED_MS / 2) throw new Error(`only ${livedMs} ms were lived`);
    return alone(
      `Simulator driving ${DEVICES} devices at real time, processor time against one core, %`,
      [100 * share],
      { atMost: PERCENT_MAX },
    );
  } finally {
    notePeak(service.child.pid!);
    await service.stop();
    removeDataDir(dataDir);
  }
}

export const simulator = async (): Promise<Finding[]> => [await livedMonth(), await shareOfCore()];
