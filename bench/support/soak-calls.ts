import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT } from '../../test/support/fleet.ts';
import { OPERATOR_KEY } from './service.ts';
import { logIn, type ServiceScene } from './service-scene.ts';
import {
  BYTES_THAT_CROSS,
  hasRule,
  imeiOf,
  LINES_A_MINUTE,
  PLANS,
  STEADY_LINES,
  spentLine,
  TOO_WARM,
} from './soak-fleet.ts';

/** One kind of call with its rate. `call` gets the number of the call. */
export interface Kind {
  readonly name: string;
  readonly everyMs: number;
  /** Limit of concurrent calls. */
  readonly atOnce: number;
  readonly call: (nth: number) => Promise<void>;
}

const CALL_MS = 30_000;
const AT_ONCE = 8;
/** A key may run only a few feeds at once, and three kinds of call share them. */
const FEEDS_AT_ONCE = 1;
const CHANGED = 10;
const RECORDS = 250;
const READINGS = 100;
const LISTS = ['callbacks', 'firings', 'audit', 'jobs', 'accounts', `accounts/${ACCOUNT}/devices`];

const operator = { authorization: `Bearer ${OPERATOR_KEY}` };
const range = (count: number) => Array.from({ length: count }, (_, n) => n);
const named = (imeis: readonly string[]) => ({
  accountName: ACCOUNT,
  devices: imeis.map((id) => ({ deviceIds: [{ id, kind: 'imei' }] })),
});

class Refused extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(`${status} ${text.slice(0, 200)}`);
    this.status = status;
  }
}

async function ask(url: string, headers: Readonly<Record<string, string>>, body?: string) {
  const method = body === undefined ? 'GET' : 'POST';
  const signal = AbortSignal.timeout(CALL_MS);
  const answer = await fetch(url, { method, headers, signal, ...(body !== undefined && { body }) });
  const text = await answer.text();
  if (!answer.ok) throw new Refused(answer.status, text);
  return text;
}

/** All records must be accepted; a rejected one is an error of the run. */
async function feed(url: string, records: readonly object[]): Promise<void> {
  const { accepted } = JSON.parse(await ask(url, operator, JSON.stringify(records)));
  if (accepted !== records.length) throw new Error(`${accepted} of ${records.length} were accepted`);
}

const record = (id: string, device: string, bytes: number) => ({
  ...{ id, kind: 'imei', device, bytes, at: new Date().toISOString() },
});

const STEP = 5_000;
const SETTLED_MS = 120_000;
const stepsOf = (lines: readonly string[]) =>
  range(Math.ceil(lines.length / STEP)).map((n) => lines.slice(n * STEP, (n + 1) * STEP));

async function waitFor(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + SETTLED_MS;
  while (!(await isSo())) {
    if (Date.now() > until) throw new Error(`${what} took more than ${SETTLED_MS / 1_000} s`);
    await sleep(200);
  }
}

/**
 * Brings the fleet into use: gives each line a counter, and suspends and restores it. The first such events of a line enlarge
 * tables and their indexes; later ones must not.
 */
export async function bringIntoUse(
  { url, post, client }: ServiceScene,
  lines: readonly string[],
): Promise<void> {
  for (const some of stepsOf(lines))
    await feed(
      `${url}/operator/v1/usage`,
      some.map((imei) => record(`first ${imei}`, imei, 1)),
    );
  for (const [action, suspended] of [
    ['suspend', lines.length],
    ['restore', 0],
  ] as const) {
    for (const some of stepsOf(lines)) await post(`/m2m/v1/devices/actions/${action}`, named(some));
    await waitFor(`to ${action} all lines`, async () => {
      const { rows } = await client.query(
        `select count(*) = $1 and not exists (select from callback_pending) as "isSo" from device where state = 'suspend'`,
        [suspended],
      );
      return rows[0].isSo;
    });
  }
}

function feeds(url: string): Kind[] {
  const usage = (records: readonly object[]) => feed(`${url}/operator/v1/usage`, records);
  return [
    {
      name: 'usage',
      everyMs: 500,
      atOnce: FEEDS_AT_ONCE,
      call: (nth) =>
        usage(
          range(RECORDS).map((n) =>
            record(`u${nth}-${n}`, imeiOf((nth * RECORDS + n) % STEADY_LINES), 1_000),
          ),
        ),
    },
    {
      name: 'crossing',
      everyMs: (6 * 60_000) / LINES_A_MINUTE,
      atOnce: FEEDS_AT_ONCE,
      call: (nth) =>
        usage(
          range(6).map((n) => record(`c${nth}-${n}`, spentLine(nth * 6 + n, 'crosses'), BYTES_THAT_CROSS)),
        ),
    },
    {
      name: 'readings',
      everyMs: 500,
      atOnce: FEEDS_AT_ONCE,
      call: (nth) =>
        feed(
          `${url}/operator/v1/readings`,
          range(READINGS).map((n) => {
            const told = nth * READINGS + n;
            const line = told % STEADY_LINES;
            // In every other pass over the fleet, lines with a rule are too warm, so that their alerts are raised and cleared.
            const isWarm = hasRule(line) && Math.floor(told / STEADY_LINES) % 2 === 1;
            const values = { t: isWarm ? TOO_WARM : 20 };
            return { kind: 'imei', device: imeiOf(line), at: new Date().toISOString(), values };
          }),
        ),
    },
  ];
}

/** The kinds of call of a run, at their intended rates. */
export function soakCalls(url: string, first: Readonly<Record<string, string>>): readonly Kind[] {
  let headers = first;
  /** A token request returns the same token until it expires after an hour. The next call is then refused and repeated. */
  const askAgain = async (path: string, body?: string) => {
    try {
      await ask(`${url}${path}`, headers, body);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 401) throw error;
      headers = await logIn(url);
      await ask(`${url}${path}`, headers, body);
    }
  };
  const get = (path: string) => askAgain(path);
  const post = (path: string, body: object) => askAgain(path, JSON.stringify(body));
  const suspended = (nth: number) =>
    range(CHANGED).map((n) => imeiOf((Math.floor(nth / 2) * CHANGED + n) % STEADY_LINES));
  return [
    { name: 'read', everyMs: 25, atOnce: AT_ONCE, call: () => get(`/m2m/v1/accounts/${ACCOUNT}`) },
    {
      name: 'list',
      everyMs: 250,
      atOnce: AT_ONCE,
      call: () => post('/m2m/v1/devices/actions/list', { accountName: ACCOUNT, maxNumberOfDevices: 100 }),
    },
    {
      name: 'record',
      everyMs: 100,
      atOnce: AT_ONCE,
      call: (nth) =>
        post('/dm/v1/devices/actions/query', {
          accountname: ACCOUNT,
          resourceidentifier: { imei: imeiOf((nth * 7) % STEADY_LINES) },
        }),
    },
    ...feeds(url),
    {
      name: 'plan change',
      everyMs: (CHANGED * 60_000) / LINES_A_MINUTE,
      atOnce: AT_ONCE,
      call: (nth) =>
        post('/m2m/v1/devices/actions/plan', {
          ...named(range(CHANGED).map((n) => spentLine(nth * CHANGED + n, 'changes'))),
          servicePlan: PLANS[1],
        }),
    },
    {
      name: 'suspension',
      everyMs: 3_000,
      atOnce: AT_ONCE,
      call: (nth) =>
        post(`/m2m/v1/devices/actions/${nth % 2 === 0 ? 'suspend' : 'restore'}`, named(suspended(nth))),
    },
    {
      name: 'operator',
      everyMs: 500,
      atOnce: AT_ONCE,
      call: async (nth) => void (await ask(`${url}/operator/v1/${LISTS[nth % LISTS.length]}`, operator)),
    },
    {
      name: 'login',
      everyMs: 10_000,
      atOnce: AT_ONCE,
      call: async () => {
        headers = await logIn(url);
      },
    },
  ];
}
