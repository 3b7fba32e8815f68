import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { signIn } from '../../src/features/console/test/scene.ts';
import {
  AWAY,
  BESIDE,
  DOOMED,
  FIRST,
  isAt,
  isShown,
  LINES,
  type Line,
  laterOwnerOf,
  makePositionScene,
  type Name,
} from '../support/position-scene.ts';

const scene = await makePositionScene();
const { world, requests, heard, caller, operate } = scene;

/** Operations whose response can hold text of any shape, but no positions, each with the reason. */
const HARMLESS: Readonly<Record<string, string>> = {
  acknowledgeSmartAlert: 'compares readings of sensors',
  acknowledgeSmartAlerts: 'compares readings of sensors',
  consoleWatchAccount: 'tells that something changed, not what',
  operatorListFaults: 'repeats what the operator set',
  operatorSetFaults: 'repeats what the operator set',
  operatorSimulateDevice: 'repeats what the operator set',
  queryDevices: 'has lists that are always empty',
  queryGateways: 'has lists that are always empty',
  queryGatewaysByPatch: 'has lists that are always empty',
  querySensors: 'has lists that are always empty',
  querySmartAlerts: 'compares readings of sensors',
  tryRule: 'compares readings of sensors',
  updateDeviceRecord: 'has lists that are always empty',
};

type Read = () => Promise<readonly string[]>;
type Sent = Awaited<ReturnType<typeof caller>>;
const bodyOf = async (answer: ReturnType<Sent>) => [(await answer).body];

interface Delivery {
  readonly id: string;
  readonly attempts: readonly { readonly series: number; readonly attempt: number }[];
}

/** How the account, or an operator asking about it, reads each operation that can hold a position. */
function readersOf(name: Name, call: Sent, operator: Awaited<ReturnType<typeof signIn>>) {
  const reports = requests.filter((each) => each.name === name && each.what === 'locationreports');
  const inReports =
    (pathOf: (txid: string) => string): Read =>
    async () =>
      (await Promise.all(reports.map(({ txid }) => bodyOf(call('GET', pathOf(txid)))))).flat();
  const deliveries = () => call('GET', `/m2m/v1/callbacks/${name}/deliveries?limit=200`);
  const each = async (read: (delivery: Delivery) => Promise<readonly string[]>) =>
    (await Promise.all(((await deliveries()).json() as Delivery[]).map(read))).flat();
  const own = `/console/v1/accounts/${name}`;
  const ofOperator =
    (path: string): Read =>
    () =>
      bodyOf(world.operator('GET', path));
  return {
    listDeliveries: () => bodyOf(deliveries()),
    readDelivery: () => each(({ id }) => bodyOf(call('GET', `/m2m/v1/callbacks/${name}/deliveries/${id}`))),
    readDeliveryAttempt: () =>
      each(async ({ id, attempts }) =>
        (
          await Promise.all(
            attempts.map(({ series, attempt }) =>
              bodyOf(call('GET', `/m2m/v1/callbacks/${name}/deliveries/${id}/attempts/${series}/${attempt}`)),
            ),
          )
        ).flat(),
      ),
    readLocationReport: inReports((txid) => `/loc/v1/locationreports/${name}/report/${txid}/index/0`),
    readLocationReportWithCounts: inReports((txid) => `/loc/v1/locationreports/${name}/report/${txid}`),
    locateDevices: async () => {
      const answers: string[] = [];
      for (const { imei } of LINES) {
        const asked = { accountName: name, accuracyMode: '1', cacheMode: '0' };
        const deviceList = [{ id: imei, kind: 'IMEI' }];
        answers.push(...(await bodyOf(call('POST', '/loc/v1/locations', { ...asked, deviceList }))));
      }
      return answers;
    },
    consoleListPositions: () => bodyOf(operator.call('GET', `${own}/positions?limit=1000`)),
    consoleListPositionCells: () => bodyOf(operator.call('GET', `${own}/position-cells?across=64`)),
    consoleListPositionsOfDevice: async () => {
      const rows = await world.ctx.db.many<{ id: string }>({
        text: 'select device_id as id from location_entry union select device_id from device',
        values: [],
      });
      const paths = rows.map(({ id }) => `${own}/devices/${id}/positions`);
      return (await Promise.all(paths.map((path) => bodyOf(operator.call('GET', path))))).flat();
    },
    operatorListCallbacks: ofOperator(`/callbacks?accountName=${name}&limit=1000`),
    operatorListRequests: ofOperator(`/requests?accountName=${name}&limit=1000`),
    operatorReadRequest: async () => {
      const found = (await world.operator('GET', `/requests?accountName=${name}&limit=1000`)).json();
      const paths = found
        .filter(({ method, path }: { method: string; path: string }) => method === 'POST' || /loc/.test(path))
        .map(({ id }: { id: string }) => `/requests/${id}`);
      return (await Promise.all(paths.map((path: string) => bodyOf(world.operator('GET', path))))).flat();
    },
    operatorListAudit: ofOperator(`/audit?accountName=${name}&limit=1000`),
    operatorExport: ofOperator(`/export?accountName=${name}`),
    operatorListMail: ofOperator(`/mail?accountName=${name}&limit=200`),
  } satisfies Record<string, Read>;
}

/** In reports and callbacks, which keep all positions, those that are allowed must be shown. */
const KEEPERS = new Set([
  'readLocationReport',
  'readLocationReportWithCounts',
  'listDeliveries',
  'callbacks',
]);
const BRIEF = new Set([...KEEPERS, 'operatorListRequests']);

/** Every text that the account is shown, by what shows it. */
async function shownTo(name: Name, isWhole: boolean): Promise<ReadonlyMap<string, string>> {
  const readers = readersOf(name, await caller(name), await signIn(world));
  const shown = new Map<string, string>();
  for (const [operation, read] of Object.entries(readers))
    if (isWhole || BRIEF.has(operation)) shown.set(operation, (await read()).join('\n'));
  const came = heard.filter(({ path }) => path === `/${name}`);
  shown.set('callbacks', came.map(({ text }) => text).join('\n'));
  return shown;
}

/** The next attempt of every callback. */
async function retry(): Promise<void> {
  heard.length = 0;
  world.pass(301_000);
  await world.delivery.settle();
}

const nameOf = ({ fate, consent }: Line, whose: string) => `${whose} of a line that ${fate}, ${consent}`;

/** The positions that are shown in this text, by line. */
const found = (text: string): ReadonlySet<string> =>
  new Set(
    LINES.flatMap((line) => [
      ...(isAt(text, line.first) ? [nameOf(line, 'first')] : []),
      ...(isAt(text, line.later) ? [nameOf(line, 'later')] : []),
    ]),
  );

const allowedTo = (name: Name): ReadonlySet<string> =>
  new Set(
    LINES.flatMap((line) => [
      ...(name === FIRST && isShown(line).first ? [nameOf(line, 'first')] : []),
      ...(name === laterOwnerOf(line.fate) && isShown(line).later ? [nameOf(line, 'later')] : []),
    ]),
  );

async function check(name: Name, allowed: ReadonlySet<string>, isWhole = true): Promise<void> {
  for (const [what, text] of await shownTo(name, isWhole)) {
    const seen = found(text);
    assert.deepEqual(
      [...seen].filter((each) => !allowed.has(each)),
      [],
      `${what} of ${name} shows`,
    );
    if (KEEPERS.has(what))
      assert.deepEqual(
        [...allowed].filter((each) => !seen.has(each)),
        [],
        `${what} of ${name} leaves out`,
      );
  }
}

const POSITION_NAME = /^(pd|position|lat|lon|latitudes?|longitudes?|x|y|body|coordinates?)$/;

interface Shape {
  readonly [member: string]: unknown;
}

/** Whether a value of this shape can hold a position: it names one, or can be anything. */
function canHold(
  shape: Shape,
  schemas: Readonly<Record<string, Shape>>,
  within: readonly string[] = [],
): boolean {
  const name = (shape['$ref'] as string | undefined)?.split('/').at(-1);
  if (name !== undefined)
    return !within.includes(name) && canHold(schemas[name]!, schemas, [...within, name]);
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [], ...rest } = shape;
  const more = rest['additionalProperties'];
  const parts = [anyOf, oneOf, allOf, items ?? [], typeof more === 'object' ? more : []].flat() as Shape[];
  const isAny = Object.keys(shape).every((key) => key === 'description' || key === 'title');
  return (
    isAny ||
    Object.entries(properties as Record<string, Shape>).some(
      ([member, of]) => POSITION_NAME.test(member) || canHold(of, schemas, within),
    ) ||
    parts.some((part) => canHold(part, schemas, within))
  );
}

describe('a position is shown only to an account that may see it now', () => {
  it('on every route that can hold one', async () => {
    const { paths, components } = JSON.parse(readFileSync('openapi.json', 'utf8'));
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods as object));
    const holding = operations.filter(({ responses = {} }) =>
      Object.entries(responses as Record<string, { content?: Record<string, { schema?: Shape }> }>)
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([, { content = {} }]) => Object.entries(content))
        .some(
          ([type, { schema }]) => type !== 'application/json' || canHold(schema ?? {}, components.schemas),
        ),
    );
    const read = readersOf(FIRST, await caller(FIRST), await signIn(world));
    const unread = holding
      .map(({ operationId }) => operationId as string)
      .filter((id) => !Object.hasOwn(read, id) && !Object.hasOwn(HARMLESS, id));
    assert.deepEqual(unread, [], 'read them here, or say why they show no positions');
  });

  // proves location/lines-that-left location/erasure-follows-the-line
  it('whatever becomes of its line, and whatever consent is given', async () => {
    await retry();
    for (const name of [FIRST, BESIDE, AWAY]) await check(name, allowedTo(name));
  });

  // proves location/lines-that-left
  it('and not while the account denies all', async () => {
    const level = async (allDeviceConsent: number) => {
      const body = { accountName: FIRST, allDeviceConsent };
      const answer = await (await caller(FIRST))('PUT', '/loc/v1/devicelocations/action/consents', body);
      assert.ok(answer.statusCode < 300, answer.body);
    };
    await level(3);
    await retry();
    await check(FIRST, new Set(), false);
    await level(0);
    await retry();
    const left = LINES.filter(({ fate }) => laterOwnerOf(fate) !== undefined && !fate.endsWith('returns'));
    const texts = [...(await shownTo(FIRST, false)).values()].join('\n');
    for (const line of left)
      assert.equal(isAt(texts, line.first), isShown(line).first, nameOf(line, 'after a permission: first'));
  });

  // proves location/lines-that-left
  it('also when failed callbacks are sent again', async () => {
    heard.length = 0;
    for (const { name, txid } of requests.filter(({ what }) => what === 'devicelocations'))
      if (name !== DOOMED) await operate('POST', '/callbacks/resend', { requestId: txid });
    await world.delivery.settle();
    for (const name of [BESIDE, AWAY]) {
      const told = heard.filter(({ path }) => path === `/${name}`).map(({ text }) => text);
      // The account that denied all has these lines again.
      const isBack = (each: string) => each.includes('returns');
      const allowed = [...allowedTo(name)].filter((each) => !isBack(each));
      assert.deepEqual([...found(told.join('\n'))].toSorted(), allowed.toSorted());
    }
  });
});
