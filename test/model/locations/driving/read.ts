import assert from 'node:assert/strict';
import { signIn } from '../../../../src/features/console/test/scene.ts';
import type { Row } from '../../outcome.ts';
import { ACCOUNTS } from '../case.ts';
import type { Play } from './play.ts';
import { FIRST_PLACE } from './stage.ts';

interface WireEntry {
  readonly msid: string;
  readonly pd: { readonly x?: string; readonly radius?: string; readonly cacheMode?: string };
  readonly error: { readonly type?: string };
}
interface Report {
  readonly transactionID: string;
  readonly deviceList: readonly WireEntry[];
}
interface Payload extends Report {
  readonly txid?: string;
  readonly message?: Report;
}

export const showEntry = ({ pd, error }: WireEntry): string => {
  if (pd.x === undefined) return error.type ?? '';
  assert.deepEqual(error, {});
  return [pd.x, pd.radius, ...(pd.cacheMode === undefined ? [] : [pd.cacheMode])].join(' ');
};

const nameOf = ({ requests }: Play, txid: string): string | undefined =>
  [...requests].find(([, request]) => request.txid === txid)?.[0];

function readPayload(play: Play, payload: Payload): Row | undefined {
  const { transactionID, deviceList } = payload.message ?? payload;
  const request = nameOf(play, payload.txid ?? transactionID);
  if (payload.txid !== undefined) return { request };
  if (deviceList === undefined) return undefined;
  const [entry] = deviceList;
  return { request, line: play.names.lineOfMdn(entry!.msid), shows: showEntry(entry!) };
}

/** What came to the listeners. A report is told of once, however often it was. */
export function readHeard(play: Play, nth: number): Row[] {
  const rows: Row[] = [];
  const reports = new Set<string>();
  for (const [account, { heard }] of play.stage.listeners.entries())
    for (const { body } of heard) {
      const read = readPayload(play, body as unknown as Payload);
      // The usage trigger, which fires when the gate closes.
      if (read === undefined) continue;
      if (!('line' in read)) {
        if (reports.has(String(read['request']))) continue;
        reports.add(String(read['request']));
      }
      rows.push({ nth, account, ...read });
    }
  return rows;
}

async function readReports(play: Play, nth: number): Promise<void> {
  for (const [request, { account, by, txid }] of play.requests) {
    if (by !== 'report') continue;
    const path = `/loc/v1/locationreports/${play.names.accounts[account]}/report/${txid}/index/0`;
    const page = (await play.call(account, 'GET', path)).json();
    play.outcome.pages.push({ nth, request, shows: page.devLocationList?.map(showEntry) ?? page });
  }
}

interface Delivery {
  readonly serviceName: string;
  readonly state: string;
  readonly payload: Payload;
  readonly attempts: readonly unknown[];
}

async function readDeliveries(play: Play, nth: number): Promise<void> {
  for (let account = 0; account < ACCOUNTS; account++) {
    if (play.closed.has(account)) continue;
    const path = `/m2m/v1/callbacks/${play.names.accounts[account]}/deliveries`;
    const answer = await play.call(account, 'GET', `${path}?serviceName=DeviceLocation&limit=200`);
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.body}`);
    for (const { state, payload, attempts } of answer.json() as Delivery[]) {
      const read = readPayload(play, payload);
      play.outcome.deliveries.push({ nth, account, ...read, state, attempts: attempts.length });
    }
  }
}

/** Everything that shows positions, after a step. */
export async function look(play: Play, nth: number): Promise<void> {
  await readReports(play, nth);
  await readDeliveries(play, nth);
}

async function readSettings(play: Play, account: number, operator: Awaited<ReturnType<typeof signIn>>) {
  const { names, outcome } = play;
  const accountName = names.accounts[account]!;
  const { reports } = (
    await play.call(account, 'GET', `/loc/v1/locationreports/${accountName}?limit=50`)
  ).json();
  for (const { txid, status } of reports) outcome.settings.push({ request: nameOf(play, txid), status });
  const list = (await play.call(account, 'GET', `/loc/v1/consents/${accountName}/index/0`)).json();
  const idents = list.exclusion.map(names.identOf).sort();
  outcome.settings.push({ account, excludesAll: list.allDevice, idents });
  for (const line of play.linesOf(account)) {
    const path = `/loc/v1/devicelocations/action/consents?accountName=${accountName}&deviceId=${play.imeiOf(line)}`;
    const [device] = (await play.call(account, 'GET', path)).json().deviceList;
    outcome.settings.push({ account, line, level: device.consent });
  }
  const answer = await operator.call('GET', `/console/v1/accounts/${accountName}/positions?limit=100`);
  const { latitudes, radii } = answer.json();
  // Not of the line that every account locates first.
  for (const [n, latitude] of latitudes.entries())
    if (latitude !== FIRST_PLACE) outcome.settings.push({ account, latitude, radius: radii[n] });
}

const MONTH = { year: 2026, month: 1 };

async function readBills(play: Play): Promise<void> {
  const { names, outcome, stage } = play;
  const asked = new Map<string, { readonly account: number; readonly what: string }>();
  const open = Array.from({ length: ACCOUNTS }, (_, account) => account).filter(
    (one) => !play.closed.has(one),
  );
  for (const account of open) {
    const dates = { startDate: '01-01-2026', endDate: '01-31-2026' };
    const used = (
      await play.call(account, 'POST', '/loc/v1/usage', { ...dates, usageForAllAccounts: false })
    ).json();
    outcome.bills.push({ account, located: Number(used.totalTransactionCount) });
    const ask = async (what: string, of: object) => {
      const body = { lineLevel: what !== 'all', billingCycle: { from: MONTH, to: MONTH }, ...of };
      const answer = await play.call(account, 'POST', '/m2m/v2/devices/usage/actions/billed', body);
      assert.equal(answer.statusCode, 200, answer.body);
      asked.set(answer.json().requestId, { account, what });
    };
    await ask('all', {});
    const imeis = play.everyImei();
    await ask('imei', { deviceIds: imeis.map((id) => ({ id, kind: 'imei' })) });
    for (const line of play.everyLine())
      await ask(`label ${line}`, { label: { name: 'line', value: String(line) } });
  }
  await stage.world.engine.settle();
  const sums = new Map<string, { account: number; what: string; bytes: number }>();
  for (const account of open) {
    const path = `/callbacks?accountName=${names.accounts[account]}&serviceName=DeviceUsage&limit=1000`;
    for (const { requestId, payload } of (await stage.operate('GET', path)).json()) {
      const bill = payload.deviceResponse?.billingUsageSummary;
      const whose = asked.get(requestId);
      if (bill === undefined || whose === undefined) continue;
      const isImei = whose.what === 'imei';
      const what = isImei ? `imei ${names.identOf(bill.deviceIdentifier.id)}` : whose.what;
      const key = `${account} ${what}`;
      sums.set(key, { account, what, bytes: (sums.get(key)?.bytes ?? 0) + bill.totalUsage });
    }
  }
  // Who used nothing may be named or not.
  for (const row of sums.values()) if (row.bytes > 0) outcome.bills.push(row);
}

/** What is read at the end of a case. */
export async function conclude(play: Play): Promise<void> {
  const operator = await signIn(play.stage.world);
  for (let account = 0; account < ACCOUNTS; account++)
    if (!play.closed.has(account)) await readSettings(play, account, operator);
  await readBills(play);
}
