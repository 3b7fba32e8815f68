import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import packageJson from '../../../package.json' with { type: 'json' };
import { freePort } from '../../../test/support/free-port.ts';
import { runCli } from './run-cli.ts';

const env = { LINEKEEPER_OPERATOR_KEY: 'some-key' };

describe('wrong usage ends with 2', { concurrency: true }, () => {
  const cases: readonly (readonly [args: readonly string[], sentence: RegExp])[] = [
    [['devices'], /Give a command/],
    [['bogus'], /unknown command 'bogus'/],
    [['clok'], /unknown command 'clok' \(Did you mean clock\?\)/],
    [['strat'], /unknown command 'strat' \(Did you mean start\?\)/],
    [['clock', 'advnce'], /unknown command 'advnce' \(Did you mean advance\?\)/],
    [['--timeout', '5', 'accounts', 'shw'], /unknown command 'shw' \(Did you mean show\?\)/],
    [['clock', 'advance', '1month'], /'1month' cannot be the duration\. .*an ISO 8601 duration such as P1M/],
    [['clock', 'set', 'tomorrow'], /'tomorrow' cannot be the date\. .*such as 2026-12-01/],
    [['devices', 'show', 'foo', '1'], /'foo' cannot be the kind\. Allowed choices are imei, /],
    [['devices', 'consents', 'imei', '1', '--from', 'x'], /'x' cannot be the value of --from\. .*2026-12-01/],
    [['jobs', 'retry', 'nope'], /'nope' cannot be the id\. It must be an id such as /],
    [['accounts', 'statement', 'a', 'Location', 'jan'], /'jan' cannot be the month\. .*2026-01/],
    [
      ['callbacks', 'resend', '--account', 'a', '--since', 'yesterday'],
      /'yesterday' cannot be the value of --since/,
    ],
    [['start', '--port', 'http'], /'http' cannot be the value of --port\. .*from 0 to 65535 such as 8080/],
    [['start', '--demo', 'maybe'], /'maybe' cannot be the value of --demo\. Allowed choices are on, off/],
    [['start', '--now', 'soon'], /'soon' cannot be the value of --now\. .*2026-12-01/],
    [['start', '--url', 'http://127.0.0.1:1'], /--url only works with commands that call a service/],
    [['start'], /The service needs its own process/],
    [['backup'], /missing required argument 'file'/],
    [['shard', '--plan', '--rebalance'], /Give one of --plan, --rebalance and --isolate/],
    [['accounts', 'list', '--bogus'], /unknown option '--bogus'/],
    [['accounts', 'show'], /missing required argument 'account'/],
    [['accounts', 'list', '--limit', 'many'], /whole number/],
    [['accounts', 'show', '..'], /is no accountName/],
    [['accounts', 'list', '--timeout', '0'], /number of seconds/],
    [['accounts', 'list', '--url', 'ftp://somewhere'], /not an http or https URL/],
    [['accounts', 'list', '--key', 'two words'], /contains characters that no key has/],
    [['import', '/nowhere/fleet.json'], /Cannot read \/nowhere\/fleet\.json: ENOENT/],
    [['import', '/'], /Cannot read \/: it is a folder/],
  ];
  for (const [args, sentence] of cases) {
    it(`linekeeper ${args.join(' ')}`, async () => {
      const { code, out, err } = await runCli(args, { env });
      assert.deepEqual([code, out], [2, '']);
      const told = err.split('\n').filter((line) => line.startsWith('linekeeper: '));
      assert.equal(told.length, 1);
      assert.match(told[0]!, sentence);
    });
  }

  it('shows an example of the command', async () => {
    const { err } = await runCli(['clock', 'advance', '1month'], { env });
    assert.equal(err.trim().split('\n').at(-1), 'Example: linekeeper clock advance PT5M');
    const { err: json } = await runCli(['accounts', 'show', '--json'], { env });
    assert.equal(JSON.parse(json).example, 'linekeeper accounts show 0000123456-00001');
  });

  it('is told as JSON with --json', async () => {
    const { code, err } = await runCli(['xyzzy', '--json'], { env });
    assert.deepEqual(
      [code, JSON.parse(err)],
      [2, { title: "unknown command 'xyzzy'; linekeeper --help lists them", code: 'usage', exitCode: 2 }],
    );
  });

  it('is also to have no key', async () => {
    const { code, err } = await runCli(['accounts', 'list']);
    assert.equal(code, 2);
    assert.match(err, /^linekeeper: No operator key: .*\n$/);
  });
});

describe('a service that is not there', () => {
  it('ends with 3, without a key in sight', async () => {
    const url = `http://127.0.0.1:${await freePort()}/api`;
    const how = { env: { ...env, LINEKEEPER_URL: url } };
    const all = await Promise.all(
      [['health'], ['accounts', 'list'], ['import', '-'], ['export']].map((args) => runCli(args, how)),
    );
    for (const { code, err } of all) {
      assert.equal(code, 3);
      const where = `linekeeper: Cannot reach a service at ${new URL(url).origin}: nothing listens there.`;
      assert.ok(err.startsWith(where) && err.includes('linekeeper start'), err);
    }
    const { code, err } = await runCli(['health', '--json'], how);
    assert.deepEqual([code, JSON.parse(err).code], [3, 'unreachable']);
  });
});

/** A clock that is still moving for this many queries, then ends as `end` says. */
function answerAsClock(
  method: string | undefined,
  response: ServerResponse,
  end: string,
  asked: number,
  looks: number,
): void {
  const now = '2027-01-01T00:00:00.000Z';
  response.statusCode = method === 'POST' ? 202 : 200;
  const [movingFrom, movingTo] = ['2026-12-01T00:00:00.000Z', '2027-02-01T00:00:00.000Z'];
  const moving = { now, offsetMs: 0, movingFrom, movingTo, ran: 7, remaining: 2 };
  const answer =
    method === 'POST' ? { now, ran: 5, remaining: 4 } : asked < looks ? moving : { now: end, offsetMs: 0 };
  response.end(JSON.stringify(answer));
}

describe('a service that does not do its part', { concurrency: true }, () => {
  const asked = new Map<string | undefined, number>();
  const agents = new Set<string | undefined>();
  const server = createServer((request, response) => {
    agents.add(request.headers['user-agent']);
    if (request.url?.startsWith('/silent')) return;
    if (request.url?.startsWith('/broken')) {
      response.write('{"devices": [');
      setTimeout(() => response.destroy(), 50);
    } else if (request.url?.startsWith('/clock-')) {
      const times = asked.get(request.url) ?? 0;
      if (request.method === 'GET') asked.set(request.url, times + 1);
      const end = request.url.startsWith('/clock-arrives')
        ? '2027-02-01T00:00:00.000Z'
        : '2027-01-09T00:00:00.000Z';
      answerAsClock(request.method, response, end, times, request.url.includes('-shown') ? 4 : 1);
    } else response.end('<html>');
  });
  let origin: string;
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('ends with 4 when it says nothing', async () => {
    const silent = ['--url', `${origin}/silent`, '--timeout', '0.5'];
    const all = await Promise.all(
      [['accounts', 'list'], ['import', '-'], ['export']].map((args) =>
        runCli([...args, ...silent], { env }),
      ),
    );
    for (const { code, err } of all) {
      assert.equal(code, 4);
      assert.match(err, /did not answer within 0\.5 seconds/);
    }
    assert.deepEqual([...agents], [`linekeeper-cli/${packageJson.version}`]);
  });

  it('ends with 3 when it breaks off or is something else', async () => {
    const [broken, other] = await Promise.all([
      runCli(['export', '--url', `${origin}/broken`], { env }),
      runCli(['accounts', 'list', '--url', origin], { env }),
    ]);
    assert.deepEqual([broken.code, other.code], [3, 3]);
    assert.match(broken.err, /broke off/);
    assert.match(other.err, /does not come from Linekeeper/);
  });

  it('is followed while it moves the clock, and ends with 1 when the clock does not arrive', async () => {
    const advance = ['clock', 'advance', 'P1M', '--json', '--url'];
    const [arrived, stuck] = await Promise.all([
      runCli([...advance, `${origin}/clock-arrives`], { env }),
      runCli([...advance, `${origin}/clock-stops`], { env }),
    ]);
    assert.deepEqual(JSON.parse(arrived.out), { now: '2027-02-01T00:00:00.000Z', ran: 7, followed: true });
    assert.equal(stuck.code, 1);
    assert.match(stuck.err, /stopped at 2027-01-09/);
  });

  it('shows from its beginning how far the clock is, on a line that fits the terminal', async () => {
    const advance = ['clock', 'advance', 'P1M', '--url', `${origin}/clock-arrives-shown`];
    const { code, err } = await runCli(advance, { env, columns: 60 });
    assert.equal(code, 0, err);
    const shown = err.split('\r\x1b[K').find((line) => line.startsWith('['));
    assert.match(shown ?? '', /^\[#{12}-{12}\] 50% {2}2027-01-01 00:00 {2}\d+ s$/);
  });
});
