import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { casesOf } from '../../../../test/support/cases.ts';
import { ACCOUNT, asUser } from '../../../../test/support/fleet.ts';
import { openListener } from '../../../../test/support/listener.ts';
import { LOCATION_FLEET } from '../../../../test/support/location-fleet.ts';
import { randomFor, type SeededRandom } from '../../../../test/support/seeded-random.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { PositionSource, SourceAnswer } from '../../locations/index.ts';
import type { Target } from '../../locations/location.ts';
import { Model, type ModelDevice, type Wish } from './entry-model.ts';

const HISTORIES = casesOf({ everyday: 5, all: 24 });
const STEPS = 5;
const DEVICES = 3;
const HOUR_MS = 3_600_000;
const KEPT_MS = 30 * 24 * HOUR_MS;

const imeiOf = (n: number) => `99000000200${String(n).padStart(4, '0')}`;
const mdnOf = (n: number) => `555030${String(n).padStart(4, '0')}`;

/** The network of one history: its devices, the devices it was queried for, and what happens during a query. */
let answerOf: (imei: string) => ModelDevice['answer'] = () => 'absent';
let whileAsked: (imei: string) => Promise<unknown> = async () => {};
const queried = new Set<string>();
let answers = 0;
const source: PositionSource = {
  name: 'of the model',
  batchMax: 10,
  async locate(targets) {
    const located = new Map<string, SourceAnswer>();
    for (const { deviceId, imei } of targets as (Target & { imei: string })[]) {
      queried.add(imei);
      await whileAsked(imei);
      const fix = { latitude: ++answers / 1_000, longitude: 2, radiusM: 3, at: world.ctx.now() };
      const failure = { absent: 'ABSENT SUBSCRIBER', failing: 'POSITION METHOD FAILURE' };
      const answer = answerOf(imei);
      located.set(deviceId, answer === 'found' ? { fix } : { failure: { type: failure[answer] } });
    }
    return located;
  },
};
const world = await makeWorld({ positionSource: source, env: { LINEKEEPER_LOGIN_RATE: '0' } });
const { db } = world.ctx;
await world.import({
  ...LOCATION_FLEET,
  devices: Array.from({ length: HISTORIES * DEVICES }, (_, n) => ({
    accountName: ACCOUNT,
    imei: imeiOf(n),
    mdn: mdnOf(n),
  })),
});
await world.engine.addRecurring();
// Other recurring jobs take time, and the purge of old reports would hide that their devices are still located.
await db.exec(sql`delete from job where kind <> 'location-reports.ask-for-absent'`);
let user = await asUser(world);
/** Sessions expire as time passes. */
const pass = async (ms: number) => {
  world.pass(ms);
  user = await asUser(world);
};
const call = (method: string, path: string, body?: object) =>
  user.call(method, path, body && { accountName: ACCOUNT, ...body });
const listener = await openListener();
for (const name of ['DeviceLocation', 'Location'])
  await call('POST', `/loc/v1/callbacks/${ACCOUNT}`, { name, url: listener.url });

interface WireEntry {
  readonly msid: string;
  readonly pd: { readonly x?: string };
  readonly error: { readonly type?: string };
}
interface Heard {
  readonly status?: string;
  readonly deviceList?: readonly WireEntry[];
  readonly message?: { readonly deviceList: readonly WireEntry[] };
}

const LEVELS = '/loc/v1/devicelocations/action/consents';
const accepted = async (answer: ReturnType<typeof call>) => assert.equal((await answer).statusCode, 200);

/** One history, played to the service and the model, which are compared after every step. */
class History {
  readonly #random: SeededRandom;
  readonly #first: number;
  readonly #model: Model;
  readonly #wish: Wish;
  /** By the number of the device: its first position. */
  readonly #places = new Map<string, string>();
  readonly steps: string[] = [];
  #txid = '';
  #hasEnded = false;
  #isCancelled = false;

  constructor(nth: number) {
    const random = randomFor(`report ${nth}`);
    this.#random = random;
    this.#first = nth * DEVICES;
    this.#wish = {
      answeredBy: random.pick(['report', 'callbacks']),
      accuracy: random.pick(['coarse', 'precise']),
      cacheMode: random.pick([0, 1, 1, 2, 2]),
    };
    this.#model = new Model(
      Array.from({ length: DEVICES }, () => ({
        answer: random.pick(['found', 'found', 'absent', 'absent', 'failing']),
        isCached: random.between(0, 2) === 0,
        isExcluded: false,
        ownLevel: undefined,
      })),
    );
    this.steps.push(JSON.stringify([this.#wish, this.#model.devices]));
  }

  #imei = (device: ModelDevice) => imeiOf(this.#first + this.#model.devices.indexOf(device));
  #mdn = (device: ModelDevice) => mdnOf(this.#first + this.#model.devices.indexOf(device));
  #deviceOf = (imei: string) => this.#model.devices.find((device) => this.#imei(device) === imei)!;

  /** The content of an entry in the terms of the model. A position must not change. */
  #read = ({ msid, pd, error }: WireEntry): string => {
    if (pd.x === undefined) return error.type ?? '';
    assert.deepEqual(error, {});
    assert.equal(pd.x, this.#places.get(msid) ?? pd.x, 'it was located again');
    this.#places.set(msid, pd.x);
    return 'position';
  };

  async #exclude(device: ModelDevice, isExcluded: boolean): Promise<void> {
    const imei = this.#imei(device);
    const path = '/loc/v1/consents';
    if (isExcluded) await accepted(call('POST', path, { type: 'append', exclusion: [imei] }));
    else await accepted(call('DELETE', `${path}?accountName=${ACCOUNT}&deviceList=${imei}`));
  }

  async #change(): Promise<void> {
    const [model, random] = [this.#model, this.#random];
    const device = random.pick(model.devices);
    const which = random.pick(['exclude', 'exclude', 'exclude', 'all', 'level', 'own', 'own', 'network']);
    if (which === 'exclude') {
      device.isExcluded = !device.isExcluded;
      await this.#exclude(device, device.isExcluded);
    } else if (which === 'all') {
      model.allExcluded = !model.allExcluded;
      await accepted(call('POST', '/loc/v1/consents', { allDevice: model.allExcluded }));
    } else if (which === 'level') {
      model.accountLevel = random.between(0, 3);
      for (const each of model.devices) each.ownLevel = undefined;
      await accepted(call('PUT', LEVELS, { allDeviceConsent: model.accountLevel }));
    } else if (which === 'own') {
      device.ownLevel = random.between(0, 3);
      const own = { id: this.#imei(device), kind: 'IMEI', consent: device.ownLevel };
      await accepted(call('POST', LEVELS, { deviceList: [own] }));
    } else if (device.answer !== 'failing') device.answer = device.answer === 'found' ? 'absent' : 'found';
    this.steps.push(`${which} ${JSON.stringify(model)}`);
  }

  async #ask(): Promise<void> {
    const { answeredBy, accuracy, cacheMode } = this.#wish;
    const deviceList = this.#model.devices.map((device) => ({ id: this.#imei(device), kind: 'IMEI' }));
    const path = answeredBy === 'report' ? 'locationreports' : 'devicelocations';
    const body = { accuracyMode: accuracy === 'precise' ? '1' : '0', cacheMode, deviceList };
    const answer = await call('POST', `/loc/v1/${path}`, body);
    assert.equal(answer.statusCode, 200, answer.body);
    this.#model.ask(this.#wish);
    this.#txid = answer.json().txid;
    assert.equal(answer.json().status, this.#model.isQueued ? 'QUEUED' : 'COMPLETED');
    this.#hasEnded = !this.#model.isQueued;
  }

  async #cancel(): Promise<void> {
    const path =
      this.#wish.answeredBy === 'report'
        ? `/loc/v1/locationreports/${ACCOUNT}/report/${this.#txid}`
        : `/loc/v1/devicelocations/${this.#txid}?accountName=${ACCOUNT}`;
    const { statusCode } = await call('DELETE', path);
    assert.equal(statusCode, this.#hasEnded ? 400 : 200);
    if (!this.#hasEnded) this.#model.cancel();
    this.#isCancelled ||= !this.#hasEnded;
    this.#hasEnded = true;
    this.steps.push('cancel');
  }

  /** An hour passes, due work runs, and the listener gets its callbacks. */
  async #work(): Promise<void> {
    const [model, random] = [this.#model, this.#random];
    const leaves = random.between(0, 2) === 0 ? random.pick(model.devices) : undefined;
    const isAnswered = this.#wish.answeredBy === 'report' || random.between(0, 2) > 0;
    this.steps.push(`work ${JSON.stringify({ leaves: leaves && this.#imei(leaves), isAnswered })}`);
    queried.clear();
    whileAsked = async (imei) => {
      if (leaves === undefined || this.#deviceOf(imei) !== leaves) return;
      whileAsked = async () => {};
      await this.#exclude(leaves, true);
    };
    listener.answer = isAnswered ? 200 : 500;
    const from = listener.heard.length;
    await pass(HOUR_MS + 1);
    await world.engine.settle();
    await world.delivery.settle();
    const worked = model.work(leaves);
    assert.deepEqual(
      [...queried].sort(),
      worked.asked.map(this.#imei).sort(),
      'devices queried at the network',
    );
    const heard = listener.heard.slice(from).filter(({ text }) => text.includes(this.#txid));
    if (this.#wish.answeredBy === 'report') {
      const isNotified = (worked.hasChanged || !this.#hasEnded) && !this.#isCancelled;
      assert.equal(heard.length > 0, isNotified, 'whether the listener was notified');
    } else {
      const reported = heard.map(({ body }) => {
        const { message, ...failed } = body as Heard;
        const [entry] = (message ?? failed).deviceList!;
        return `${entry!.msid} ${this.#read(entry!)}`;
      });
      const expected = model.deliver(isAnswered).map(([device, text]) => `${this.#mdn(device)} ${text}`);
      assert.deepEqual(reported.sort(), expected.sort(), 'the callbacks');
    }
    this.#hasEnded = true;
  }

  #readPage = () => call('GET', `/loc/v1/locationreports/${ACCOUNT}/report/${this.#txid}/index/0`);

  async #compare(): Promise<void> {
    if (this.#wish.answeredBy === 'report') {
      const answer = await this.#readPage();
      assert.deepEqual(answer.json().devLocationList.map(this.#read), this.#model.page(), 'the page');
    }
    await this.#compareBilling();
  }

  async #compareBilling(): Promise<void> {
    const { n } = await db.one<{ n: number }>(
      sql`select count(*)::int as n from service_transaction where request_ref = ${this.#txid}`,
    );
    assert.equal(n, this.#model.billed, 'what is billed');
  }

  /** No device is excluded or denied any more, and the network finds all: after 30 days, none is located. */
  async #expire(): Promise<void> {
    await pass(KEPT_MS);
    await accepted(call('POST', '/loc/v1/consents', { allDevice: false, exclusion: [] }));
    await accepted(call('PUT', LEVELS, { allDeviceConsent: 0 }));
    for (const device of this.#model.devices) device.answer = 'found';
    queried.clear();
    await pass(HOUR_MS + 1);
    await world.engine.settle();
    assert.deepEqual([...queried], [], 'devices queried after 30 days');
    assert.equal((await this.#readPage()).json().errorMessage, 'Transaction not found');
    await this.#compareBilling();
    await accepted(call('PUT', LEVELS, { allDeviceConsent: 2 }));
  }

  async play(): Promise<void> {
    answerOf = (imei) => this.#deviceOf(imei).answer;
    const cached = this.#model.devices.filter(({ isCached }) => isCached);
    const at = world.ctx.now().toISOString();
    const fed = cached.map((device) => ({ kind: 'imei', device: this.#imei(device), lat: 1, lon: 2, at }));
    if (fed.length > 0) await world.operator('POST', '/positions', fed);
    for (let n = this.#random.between(1, 3); n > 0; n--) await this.#change();
    await this.#ask();
    await this.#compare();
    for (let step = 0; step < STEPS; step++) {
      for (let n = this.#random.between(0, 2); n > 0; n--) {
        await this.#change();
        await this.#compare();
      }
      if (this.#random.between(0, step === 0 ? 2 : 9) === 0) await this.#cancel();
      await this.#work();
      await this.#compare();
    }
    await this.#expire();
  }
}

describe('every history of a location request', () => {
  // proves location/what-a-page-shows
  it('is read, reported and billed as in the model, whatever happens to consent, network, listener and request', async () => {
    for (let nth = 0; nth < HISTORIES; nth++) {
      const history = new History(nth);
      await history.play().catch((error: unknown) => {
        throw new Error(`history ${nth}:\n${history.steps.join('\n')}`, { cause: error });
      });
    }
  });
});
