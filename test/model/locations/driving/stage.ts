import assert from 'node:assert/strict';
import type { PositionSource, SourceAnswer } from '../../../../src/features/locations/index.ts';
import { sql } from '../../../../src/platform/db/sql.ts';
import { asUser, CLIENT } from '../../../support/fleet.ts';
import { type Listener, openListener } from '../../../support/listener.ts';
import { makeWorld, type World } from '../../../support/world.ts';
import { ACCOUNTS, type Accuracy, type Case, CHUNK, PROFILE_OF } from '../case.ts';

const PASSWORD = 'a-good-password';
/** The hourly look at devices that are awaited. Other recurring work would only take time. */
const HOURLY = 'location-reports.ask-for-absent';
/** Late positions are before it, and everything of a case is in one month. */
export const START = Date.parse('2026-01-05T00:00:00Z');
const BEFORE_ALL = START - 86_400_000;
/** Entries that are located together when their lines are found, like `CHUNK`. */
const TOGETHER = 3;

export interface Names {
  readonly accounts: readonly string[];
  imei(line: number, nth: number): string;
  mdn(line: number): string;
  /** Back to the names of the case. */
  lineOfMdn(mdn: string): number;
  identOf(imei: string): string;
}

function namesFor(play: number): Names {
  const own = String(play).padStart(6, '0');
  return {
    accounts: Array.from({ length: ACCOUNTS }, (_, n) => `0003${own}-0000${n + 1}`),
    imei: (line, nth) => `98${own}${String(line).padStart(3, '0')}${String(nth).padStart(4, '0')}`,
    mdn: (line) => `56${own}${String(line).padStart(2, '0')}`,
    lineOfMdn: (mdn) => Number(mdn.slice(-2)),
    identOf: (imei) => `${Number(imei.slice(8, 11))}.${Number(imei.slice(11))}`,
  };
}

/** The line that each account locates once before a case begins: the gate closes only after the first use. */
const FIRST_LINE = 90;
export const FIRST_PLACE = 89;

/** What the network under test says of an IMEI. A line that is asked for is reported first. */
export interface Network {
  asked(imei: string, accuracy: Accuracy): Promise<unknown>;
  answer(imei: string, accuracy: Accuracy): SourceAnswer;
}

type Call = Awaited<ReturnType<typeof asUser>>['call'];
export type Answered = Awaited<ReturnType<Call>>;

/** Sessions and tokens expire as the clock moves. */
const hasExpired = ({ statusCode, body }: { statusCode: number; body: string }) =>
  statusCode === 401 || body.includes('The Session has expired');

/** One service for many cases, each with accounts of its own. */
export interface Stage {
  readonly world: World;
  /** By the number of the account. */
  readonly listeners: readonly Listener[];
  network: Network;
  prepare(drawn: Case): Promise<Names>;
  moveTo(ms: number): void;
  /** As the user of an account. */
  call(accountName: string, method: string, path: string, body?: object): Promise<Answered>;
  operate(method: string, path: string, body?: unknown): Promise<Answered>;
  /** What an import changes of the gate. */
  setGate(accountName: string, isOpen: boolean): Promise<unknown>;
  leave(names: Names): Promise<void>;
}

const gate = (accountName: string, isOpen: boolean) => ({
  subscriptions: [
    {
      ...{ accountName, serviceName: 'Location', skuName: 'SVC-LOC-COARSE-CellID-Aggr' },
      allowance: isOpen ? 1_000_000 : 1,
    },
  ],
});

export const deviceOf = (names: Names, line: number, account: number, nth: number) => ({
  accountName: names.accounts[account],
  imei: names.imei(line, nth),
  mdn: names.mdn(line),
  servicePlan: 'P-5MB',
  labels: [{ name: 'line', value: String(line) }],
});

export async function openStage(): Promise<Stage> {
  const source: PositionSource = {
    name: 'of the model',
    batchMax: 100,
    async locate(targets, { accuracy }) {
      const answers = new Map<string, SourceAnswer>();
      for (const { imei } of targets) await stage.network.asked(imei!, accuracy);
      for (const { deviceId, imei } of targets) answers.set(deviceId, stage.network.answer(imei!, accuracy));
      return answers;
    },
  };
  const limits = { locations: { chunk: CHUNK, together: TOGETHER, perLook: 3, accountsPerRecheck: 2 } };
  const world = await makeWorld({ positionSource: source, env: { LINEKEEPER_LOGIN_RATE: '0' }, limits });
  const { db } = world.ctx;
  const listeners = await Promise.all(PROFILE_OF.map(() => openListener()));
  world.clock.holdAt(new Date(BEFORE_ALL));
  await world.import({
    clients: [CLIENT],
    plans: [{ code: 'P-5MB', kind: 'payAsYouGo', allowanceBytes: 5_242_880 }],
  });
  await world.engine.addRecurring();
  await db.exec(sql`delete from job where kind <> ${HOURLY}`);
  let plays = 0;
  const calls = new Map<string, Call>();
  const found: SourceAnswer = {
    fix: { latitude: FIRST_PLACE, longitude: 1, radiusM: 1, at: new Date(BEFORE_ALL) },
  };
  const quiet: Network = { asked: async () => {}, answer: () => found };

  const stage: Stage = {
    ...{ world, listeners, network: quiet },
    async prepare({ lines }) {
      const names = namesFor(++plays);
      const { accounts } = names;
      const profiles = [...new Set(PROFILE_OF)].map((n) => `${7 + n}${String(plays).padStart(6, '0')}`);
      stage.moveTo(BEFORE_ALL);
      await world.import({
        profiles: profiles.map((ecpdId) => ({ ecpdId })),
        accounts: accounts.map((accountName, n) => ({
          ...{
            accountName,
            ecpdId: profiles[PROFILE_OF[n]!],
            locationRegistered: true,
            aggregatedBilling: true,
          },
        })),
        users: accounts.map((username) => ({ username, password: PASSWORD, accounts: [username] })),
        listeners: accounts.flatMap((accountName, n) =>
          ['Location', 'DeviceLocation'].map((serviceName) => ({
            ...{ accountName, serviceName, url: listeners[n]!.url },
          })),
        ),
        subscriptions: accounts.flatMap((accountName) => gate(accountName, true).subscriptions),
        usageTriggers: accounts.map((accountName) => ({
          ...{ accountName, triggerName: 'limit', serviceName: 'Location', thresholdValue: '100' },
          allowExcess: false,
        })),
        devices: accounts.map((_, n) => deviceOf(names, FIRST_LINE + n, n, 0)),
      });
      stage.moveTo(START);
      await world.import({
        devices: lines.flatMap(({ account }, line) =>
          account === undefined ? [] : [deviceOf(names, line, account, 0)],
        ),
      });
      for (const [n, accountName] of accounts.entries()) {
        const deviceList = [{ id: names.imei(FIRST_LINE + n, 0), kind: 'IMEI' }];
        const body = { accountName, cacheMode: 2, deviceList };
        assert.equal((await stage.call(accountName, 'POST', '/loc/v1/locations', body)).statusCode, 200);
      }
      // The clock was set back.
      await db.exec(sql`update job set due_at = ${new Date(START)} where kind = ${HOURLY}`);
      for (const listener of listeners) {
        listener.answer = 200;
        listener.heard.length = 0;
      }
      return names;
    },
    moveTo(ms) {
      world.clock.holdAt(new Date(ms));
    },
    async call(username, method, path, body) {
      const answer = await calls.get(username)?.(method, path, body);
      if (answer !== undefined && !hasExpired(answer)) return answer;
      const { call } = await asUser(world, { username, password: PASSWORD });
      calls.set(username, call);
      return call(method, path, body);
    },
    async operate(method, path, body) {
      const answer = await world.operator(method, path, body);
      assert.ok(answer.statusCode < 300, `${method} ${path}: ${answer.statusCode} ${answer.body}`);
      return answer;
    },
    setGate: (accountName, isOpen) => stage.operate('POST', '/import', gate(accountName, isOpen)),
    async leave({ accounts }) {
      stage.network = quiet;
      for (const accountName of accounts) await world.operator('DELETE', `/accounts/${accountName}`);
    },
  };
  return stage;
}
