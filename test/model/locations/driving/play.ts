import assert from 'node:assert/strict';
import type { SourceAnswer } from '../../../../src/features/locations/index.ts';
import type { Row } from '../../outcome.ts';
import {
  type Accuracy,
  type Case,
  type Change,
  FOUND_AGO_MS,
  HOUR_MS,
  isSeen,
  LATE_MS,
  latitudeOf,
  PROFILE_OF,
  RADIUS,
  type Step,
} from '../case.ts';
import { nothing, type Outcome } from '../outcome.ts';
import type { Timed } from '../reference/foretell.ts';
import { conclude, look, readHeard, showEntry } from './read.ts';
import { type Answered, deviceOf, type Names, type Stage } from './stage.ts';

type Wish = Extract<Step, { do: 'ask' | 'sync' }>;
const REFUSALS = [
  'Device not found',
  'Consent check failed',
  'Location cache has no data for this device',
  'Subscribed usage exceeded',
  'Unable to Cancel',
];

/** Plays one case over HTTP. */
export class Play {
  readonly stage: Stage;
  readonly names: Names;
  readonly outcome: Outcome = nothing();
  /** The account and the IMEI of each line; a deleted one has its last IMEI. */
  readonly #lines: { account: number | undefined; nth: number }[];
  readonly #network: { answer: 'found' | 'absent' | 'failing'; place: number }[];
  /** Accepted requests of accounts that are not closed, by name. */
  readonly requests = new Map<
    string,
    { readonly account: number; readonly by: string; readonly txid: string }
  >();
  readonly closed = new Set<number>();
  #used = 0;

  constructor(stage: Stage, names: Names, { lines }: Case) {
    this.stage = stage;
    this.names = names;
    this.#lines = lines.map(({ account }) => ({ account, nth: 0 }));
    this.#network = lines.map(({ answer }) => ({ answer, place: 1 }));
  }

  imeiOf = (line: number): string => this.names.imei(line, this.#lines[line]!.nth);
  linesOf = (account: number): number[] =>
    [...this.#lines.keys()].filter((line) => this.#lines[line]!.account === account);
  everyLine = (): number[] => [...this.#lines.keys()];
  everyImei = (): string[] =>
    this.#lines.flatMap(({ nth }, line) =>
      Array.from({ length: nth + 1 }, (_, one) => this.names.imei(line, one)),
    );
  #lineOf = (imei: string): number => Number(this.names.identOf(imei).split('.')[0]);

  call(account: number, method: string, path: string, body?: object): Promise<Answered> {
    const accountName = this.names.accounts[account]!;
    return this.stage.call(accountName, method, path, body && { accountName, ...body });
  }

  async #done(answer: Promise<Answered>): Promise<void> {
    const { statusCode, body } = await answer;
    assert.ok(statusCode < 300, body);
  }

  async #change(change: Change): Promise<void> {
    const { stage, names } = this;
    const accountName = 'account' in change ? names.accounts[change.account]! : '';
    const imei = 'line' in change ? this.imeiOf(change.line) : '';
    const consents = (body: object) =>
      this.#done(this.call((change as { account: number }).account, 'POST', '/loc/v1/consents', body));
    const LEVELS = '/loc/v1/devicelocations/action/consents';
    const line = 'line' in change ? this.#lines[change.line]! : undefined;
    const add = (account: number, nth: number) =>
      stage.operate('POST', '/import', {
        devices: [deviceOf(names, (change as { line: number }).line, account, nth)],
      });
    switch (change.do) {
      case 'level':
        return this.#done(this.call(change.account, 'PUT', LEVELS, { allDeviceConsent: change.level }));
      case 'own': {
        const deviceList = [{ id: imei, kind: 'IMEI', consent: change.level }];
        return this.#done(this.call(change.account, 'POST', LEVELS, { deviceList }));
      }
      case 'exclude': {
        const type = change.replace ? 'replace' : 'append';
        return consents({ type, exclusion: change.lines.map((one) => this.imeiOf(one)) });
      }
      case 'include': {
        const path = `/loc/v1/consents?accountName=${accountName}&deviceList=${imei}`;
        return this.#done(this.call(change.account, 'DELETE', path));
      }
      case 'all':
        return consents({ allDevice: change.excluded });
      case 'clear':
        return consents({ allDevice: false, exclusion: [] });
      case 'importList': {
        const imeis = change.idents.map(([one, nth]) => names.imei(one, nth));
        return void (await stage.operate('POST', '/import', { exclusions: [{ accountName, imeis }] }));
      }
      case 'importLevel':
        return void (await stage.operate('POST', '/import', {
          consents: [{ accountName, level: change.level }],
        }));
      case 'imei':
        line!.nth++;
        return void (await add(line!.account!, line!.nth));
      case 'arrive':
        line!.account = change.account;
        return void (await add(change.account, line!.nth));
      case 'move':
        await this.#move(imei, line!.account!, change.to);
        line!.account = change.to;
        return;
      case 'delete':
        line!.account = undefined;
        return void (await stage.operate('DELETE', `/devices/imei/${imei}`));
      case 'erase':
        return void (await stage.operate('DELETE', `/devices/imei/${imei}/positions`));
      case 'close':
        await stage.operate('DELETE', `/accounts/${accountName}`);
        this.closed.add(change.account);
        for (const one of this.#lines) if (one.account === change.account) one.account = undefined;
        for (const [name, { account }] of this.requests)
          if (account === change.account) this.requests.delete(name);
        return;
      case 'gate':
        return void (await stage.setGate(accountName, change.open));
    }
  }

  /** Only lines that are deactive go to another customer. */
  async #move(imei: string, from: number, to: number): Promise<void> {
    const path = `/devices/imei/${imei}`;
    const isAway = PROFILE_OF[from] !== PROFILE_OF[to];
    if (isAway) await this.stage.operate('POST', `${path}/state`, { state: 'deactive' });
    await this.stage.operate('POST', `${path}/move`, { accountName: this.names.accounts[to] });
    if (isAway) await this.stage.operate('POST', `${path}/state`, { state: 'active' });
  }

  #answer(nth: number, row: object): void {
    this.outcome.answers.push({ nth, ...row });
  }

  #request(wish: Wish, path: string): Promise<Answered> {
    return this.call(wish.account, 'POST', `/loc/v1/${path}`, {
      accuracyMode: wish.accuracy === 'precise' ? '1' : '0',
      cacheMode: wish.cacheMode,
      deviceList: wish.lines.map((line) => ({ id: this.imeiOf(line), kind: 'IMEI' })),
    });
  }

  #refused({ statusCode, body }: Answered): Row {
    if (statusCode !== 400) return { unexpected: body };
    const { errorMessage } = JSON.parse(body);
    return { refused: REFUSALS.find((one) => errorMessage.startsWith(one)) ?? errorMessage };
  }

  async #ask(step: Extract<Step, { do: 'ask' }>): Promise<Row> {
    const answer = await this.#request(step, step.by === 'report' ? 'locationreports' : 'devicelocations');
    if (answer.statusCode !== 200) return this.#refused(answer);
    const { txid, status } = answer.json();
    this.requests.set(step.name, { account: step.account, by: step.by, txid });
    return { status };
  }

  async #cancel(name: string): Promise<Row> {
    const { account, by, txid } = this.requests.get(name)!;
    const accountName = this.names.accounts[account]!;
    const path =
      by === 'report'
        ? `/loc/v1/locationreports/${accountName}/report/${txid}`
        : `/loc/v1/devicelocations/${txid}?accountName=${accountName}`;
    const answer = await this.call(account, 'DELETE', path);
    return answer.statusCode === 200 ? { status: 'CANCELLED' } : this.#refused(answer);
  }

  #place(imei: string, accuracy: Accuracy): SourceAnswer {
    const line = this.#lineOf(imei);
    const { answer, place } = this.#network[line]!;
    if (answer === 'absent') return { failure: { type: 'ABSENT SUBSCRIBER' } };
    if (answer === 'failing') return { failure: { type: 'POSITION METHOD FAILURE' } };
    const latitude = latitudeOf(line, place);
    const at = new Date(this.stage.world.clock.now().getTime() - FOUND_AGO_MS[accuracy]);
    return { fix: { latitude, longitude: 1, radiusM: RADIUS.network[accuracy], at } };
  }

  async #work(nth: number, { during }: Extract<Step, { do: 'work' }>): Promise<void> {
    const { stage, outcome } = this;
    const asked = new Map<string, Row>();
    let left = during?.change;
    stage.network = {
      answer: (imei, accuracy) => this.#place(imei, accuracy),
      asked: async (imei, accuracy) => {
        const line = this.#lineOf(imei);
        asked.set(`${line} ${accuracy}`, { nth, line, accuracy });
        if (left === undefined || line !== during!.line) return;
        const change = left;
        left = undefined;
        await this.#change(change);
      },
    };
    for (const listener of stage.listeners) listener.heard.length = 0;
    await stage.world.engine.settle();
    await stage.world.delivery.settle();
    outcome.asked.push(...asked.values());
    outcome.heard.push(...readHeard(this, nth));
  }

  async #take({ at, step }: Timed, nth: number): Promise<void> {
    const { stage } = this;
    stage.moveTo(step.do === 'work' ? at + HOUR_MS : at);
    stage.network = { asked: async () => {}, answer: (imei, accuracy) => this.#place(imei, accuracy) };
    switch (step.do) {
      case 'network':
        this.#network[step.line] = { answer: step.answer, place: step.place };
        return;
      case 'feed': {
        const position = { kind: 'imei', device: this.imeiOf(step.line), accuracy: step.accuracy, lon: 1 };
        const fed = { lat: latitudeOf(step.line, step.place), radius: RADIUS.fed[step.accuracy] };
        const occurred = new Date(at - (step.late ? LATE_MS : 0)).toISOString();
        const answer = await stage.operate('POST', '/positions', [{ ...position, ...fed, at: occurred }]);
        return this.#answer(nth, { accepted: answer.json().accepted === 1 });
      }
      case 'sync': {
        const answer = await this.#request(step, 'locations');
        const isAnswered = answer.statusCode === 200;
        return this.#answer(
          nth,
          isAnswered ? { shows: answer.json().map(showEntry) } : this.#refused(answer),
        );
      }
      case 'ask':
        return this.#answer(nth, await this.#ask(step));
      case 'cancel':
        return this.#answer(nth, await this.#cancel(step.name));
      case 'resend': {
        const { account, txid } = this.requests.get(step.name)!;
        const path = `/m2m/v1/callbacks/${this.names.accounts[account]}/resend`;
        const answer = await this.call(account, 'POST', path, { requestId: txid });
        return this.#answer(nth, { resent: answer.json().resent });
      }
      case 'listen':
        stage.listeners[step.account]!.answer = step.answers ? 200 : 500;
        return;
      case 'use': {
        const record = { kind: 'imei', device: this.imeiOf(step.line), bytes: step.bytes };
        const id = `${this.names.accounts[0]} ${++this.#used}`;
        await stage.operate('POST', '/usage', [{ ...record, id, at: new Date(at).toISOString() }]);
        return;
      }
      case 'work':
        return this.#work(nth, step);
      default:
        return this.#change(step);
    }
  }

  async run(steps: readonly Timed[]): Promise<Outcome> {
    for (const [n, timed] of steps.entries()) {
      await this.#take(timed, n + 1).catch((error: unknown) => {
        throw new Error(`step ${n + 1}, ${JSON.stringify(timed.step)}: ${error}`);
      });
      if (isSeen(timed.step)) await look(this, n + 1);
    }
    await conclude(this);
    return this.outcome;
  }
}
