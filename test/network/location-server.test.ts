import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createMlp, type MlpSettings } from '../../src/adapters/mlp/index.ts';
import type { Accuracy } from '../../src/features/consents/index.ts';
import type { Target } from '../../src/features/locations/index.ts';
import { unstopped } from './support/lines.ts';
import { type Positions, startLocationServer } from './support/location-server.ts';

const NOW = new Date('2026-11-17T12:00:00Z');
const target = (deviceId: string, names: Partial<Target>): Target => ({
  ecpdId: '9000001' as Target['ecpdId'],
  accountName: '0000123456-00001' as Target['accountName'],
  deviceId,
  imei: null,
  meid: null,
  esn: null,
  mdn: null,
  msisdn: null,
  ...names,
});
const numbered = (n: number): Target =>
  target(`device-${n}`, { msisdn: `1555123${String(n).padStart(4, '0')}` });

const circle =
  '<pd><time utc_off="+0200">20261117135900</time><shape><CircularArea srsName="www.epsg.org#4326"><coord><X>30 16 28.308N</X><Y>45 15 33.444E</Y></coord><radius>240</radius></CircularArea></shape></pd>';
const error = (resid: number, slogan: string, info = '') =>
  `<poserr><result resid="${resid}">${slogan}</result>${info && `<add_info>${info}</add_info>`}<time>20261117120000</time></poserr>`;

async function scene(t: TestContext, positions: Positions, more: Partial<MlpSettings> = {}, max = 10) {
  const server = await startLocationServer({ client: 'line & keeper', password: 'p<w>', max, positions });
  const source = createMlp(
    { name: 'gmlc', url: server.url, client: 'line & keeper', password: 'p<w>', timeoutMs: 30_000, ...more },
    () => NOW,
  );
  t.after(async () => {
    await source.close();
    await server.close();
  });
  const locate = (targets: readonly Target[], accuracy: Accuracy = 'coarse') =>
    source.locate(targets, { accuracy, timeLimitMs: 60_000, signal: unstopped() });
  return { server, source, locate };
}

describe('a location server', () => {
  it('tells where lines are, by their number or the ten digits of a directory number', async (t) => {
    const { locate, server } = await scene(t, () => circle);
    const answers = await locate([
      numbered(1),
      target('by-mdn', { mdn: '5551230002' }),
      target('nameless', { imei: '356938035643809' }),
    ]);
    assert.deepEqual(answers.get('nameless'), { failure: { type: 'UNKNOWN SUBSCRIBER' } });
    for (const id of ['device-1', 'by-mdn']) {
      const answer = answers.get(id);
      assert.ok(answer && 'fix' in answer, JSON.stringify(answer));
      assert.ok(Math.abs(answer.fix.latitude - 30.27453) < 1e-5);
      assert.ok(Math.abs(answer.fix.longitude - 45.25929) < 1e-5);
      assert.deepEqual([answer.fix.radiusM, answer.fix.at.toISOString()], [240, '2026-11-17T11:59:00.000Z']);
    }
    assert.deepEqual(server.asked[0]?.msisdns, ['15551230001', '15551230002']);
  });

  it('is asked for a quality that follows from the accuracy, in every version', async (t) => {
    for (const version of ['3.0.0', '3.1.0', '3.2.0', '3.3.0', '3.4.0', '3.5.0'] as const) {
      const { locate, server } = await scene(t, () => circle, { version, timeoutMs: 7_000 });
      await locate([numbered(1)], 'coarse');
      await locate([numbered(1)], 'precise');
      const asked = server.asked.map(({ urgency, horizontalM }) => [urgency, horizontalM]);
      assert.deepEqual(asked, [
        ['LOW_DELAY', 1_000],
        ['DELAY_TOL', 50],
      ]);
      assert.ok(server.asked.every(({ timerS }) => timerS >= 1 && timerS <= 7));
    }
  });

  it('says of each line why it cannot be located, in the words of the interface', async (t) => {
    const said: Readonly<Record<string, string>> = {
      '15551230001': error(5, 'ABSENT SUBSCRIBER', 'switched off'),
      '15551230002': error(10, ' QOP NOT ATTAINABLE'),
      '15551230003': error(604, 'SUBSCRIBER IN STANDARD LOCATION REPORT SERVICE NOT VALID'),
      '15551230004': error(555, 'Antenna on fire'),
      '15551230005': '<pd><time>20261117120000</time></pd>',
      '15551230006': circle,
    };
    const { locate } = await scene(t, (msisdn) => said[msisdn] ?? '');
    const answers = await locate([1, 2, 3, 4, 5, 6].map(numbered));
    assert.deepEqual(answers.get('device-1'), {
      failure: { type: 'ABSENT SUBSCRIBER', info: 'switched off' },
    });
    assert.deepEqual(answers.get('device-2'), { failure: { type: 'QOP NOT ATTAINABLE' } });
    assert.deepEqual(answers.get('device-3'), {
      failure: { type: 'SUBSCRIBER ID IN STANDARD LOCATION REPORT SERVICE NOT VALID' },
    });
    assert.deepEqual(answers.get('device-4'), {
      failure: { type: 'UNSPECIFIED ERROR', info: 'Antenna on fire' },
    });
    assert.equal(
      (answers.get('device-5') as { failure: { type: string } }).failure.type,
      'POSITION METHOD FAILURE',
    );
    assert.ok('fix' in answers.get('device-6')!);
  });

  it('that takes fewer lines at once than it is given is asked for half as many, and remembered', async (t) => {
    const { locate, server } = await scene(t, () => circle, { maxMsidsPerRequest: 40 }, 7);
    const answers = await locate(Array.from({ length: 40 }, (_, n) => numbered(n)));
    assert.equal(answers.size, 40);
    assert.ok([...answers.values()].every((answer) => 'fix' in answer));
    assert.deepEqual(
      server.asked.map(({ msisdns }) => msisdns.length),
      [40, 20, 10, ...Array<number>(8).fill(5)],
    );
    await locate(Array.from({ length: 10 }, (_, n) => numbered(n)));
    assert.equal(server.asked.at(-1)?.msisdns.length, 5);
  });

  it('that knows another password refuses every line', async (t) => {
    const { locate } = await scene(t, () => circle, { password: 'wrong' });
    assert.deepEqual((await locate([numbered(1)])).get('device-1'), {
      failure: { type: 'UNAUTHORIZED APPLICATION' },
    });
  });
});
