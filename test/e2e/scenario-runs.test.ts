import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { SCENARIOS } from '../../clients/simulator/scenarios/index.ts';
import { makeWorld } from '../support/world.ts';

const world = await makeWorld({ scenarios: 'played' });
world.scenarios!.begin(`${await world.api.listen({ port: 0, host: '127.0.0.1' })}/api`);
world.delivery.start();
after(() => world.scenarios!.close());

const fileOf = (wanted: string) => {
  const { name, file } = SCENARIOS.find((one) => one.name === wanted)!;
  return { name: `${name}.yaml`, text: readFileSync(file, 'utf8') };
};
const HEAD = 'name: mine\nsummary: A story\nfleet: {}\nsteps:\n';
/** Each of its calls is delayed on purpose, so it runs until it is stopped. */
const LONG_STORY = `${HEAD}  - faults: [{ match: { operation: operatorListKeys }, then: { delayMs: 20000 } }]
${'  - call: GET /operator/v1/keys\n'.repeat(200)}`;

const play = (body: object) => world.operator('POST', '/scenarios/runs', body);
const listed = async () => (await world.operator('GET', '/scenarios/runs')).json();
const runOf = async (runId: string) =>
  (await listed()).find((run: { readonly runId: string }) => run.runId === runId);

/** Generous, for a busy machine. */
async function ended(runId: string) {
  for (;;) {
    const run = await runOf(runId);
    if (run.state !== 'running') return run;
    await sleep(100);
  }
}

describe('POST /operator/v1/scenarios/runs', () => {
  it('201: plays a built-in scenario, and reports each check and the result', async () => {
    const started = await play(fileOf('dead-listener'));
    assert.equal(started.statusCode, 201, started.body);
    const { runId, name, steps } = started.json();
    assert.deepEqual([name, steps > 5], ['dead-listener', true]);
    const run = await ended(runId);
    assert.deepEqual([run.state, run.failedChecks, run.step], ['passed', 0, steps], JSON.stringify(run));
    const checks = run.events.filter(({ ok }: { readonly ok?: boolean }) => ok !== undefined);
    assert.equal(checks.length, run.checks);
    assert.ok(run.events.some(({ said }: { readonly said?: string }) => said?.includes('Five minutes pass')));
    assert.ok(run.lookAt.length > 0);
    // The run has its own key, which acts in the name of the operator who started it.
    const audit = (await world.operator('GET', '/audit?action=operatorMoveClock&limit=1')).json();
    assert.equal(audit[0].actor, 'first');
  });

  it('ends as failed if a check fails, with the expected and the actual result', async () => {
    const text = `${HEAD}  - expect: [{ that: somebody called, requests: { limit: 1 }, count: 1000 }]\n`;
    const run = await ended((await play({ text })).json().runId);
    assert.deepEqual([run.state, run.checks, run.failedChecks], ['failed', 1, 1]);
    const [check] = run.events.slice(-1);
    assert.deepEqual([check.what, check.ok], ['somebody called', false]);
    assert.match(check.expected, /^1000 with/);
    assert.match(check.came, /^\d/);
  });

  it('400: reports a mistake in a file with its line, and plays nothing', async () => {
    const before = (await listed()).length;
    const refused = await play({ name: 'mine.yaml', text: 'name: mine\nsteps: 1\n' });
    assert.deepEqual([refused.statusCode, refused.json().code], [400, 'scenario_invalid']);
    assert.match(refused.body, /mine\.yaml:\d+: /);
    assert.equal((await listed()).length, before);
  });

  it('is broken if it cannot be played to its end', async () => {
    const run = await ended(
      (await play({ text: `${HEAD}  - say: 'Look at \${nothing.there}'\n` })).json().runId,
    );
    assert.equal(run.state, 'broken');
    assert.match(run.error, /nothing\.there/);
  });
});

it('of two scenarios that wait for the end of the last player, one is played', async () => {
  const { list, start, stop } = world.scenarios!;
  const asked = (runId: string, text: string) => ({ runId, file: 'mine', text, by: 'first', at: new Date() });
  await start(asked('first', `${HEAD}  - say: Nothing happens.\n`));
  const isRunning = () => list().some(({ runId, state }) => runId === 'first' && state === 'running');
  // Its player has reported the end, and has not exited.
  while (isRunning()) await setImmediate();
  const both = await Promise.allSettled(['second', 'third'].map((runId) => start(asked(runId, LONG_STORY))));
  const outcomes = both.map(({ status }) => status).sort();
  for (const runId of ['second', 'third']) await stop(runId);
  assert.deepEqual(outcomes, ['fulfilled', 'rejected']);
});

describe('POST /operator/v1/scenarios/runs/{runId}/stop', () => {
  it('ends a running one; no other can start before that, and another can afterwards', async () => {
    const { runId } = (await play({ text: LONG_STORY })).json();
    const busy = await play({ text: LONG_STORY });
    assert.deepEqual([busy.statusCode, busy.json().code], [409, 'scenario_running']);
    const stopped = (await world.operator('POST', `/scenarios/runs/${runId}/stop`)).json();
    assert.deepEqual([stopped.runId, stopped.state], [runId, 'stopped']);
    assert.ok(stopped.step < stopped.steps);
    const next = await play({ text: `${HEAD}  - say: Nothing happens.\n` });
    assert.equal((await ended(next.json().runId)).state, 'passed');
  });

  it('404: an unknown run', async () => {
    const unknown = await world.operator('POST', '/scenarios/runs/019b8a20-4c00-7000-8000-2f60c1f5a009/stop');
    assert.deepEqual([unknown.statusCode, unknown.json().code], [404, 'scenario_run_unknown']);
  });
});

describe('a service that ends', () => {
  it('stops its running scenario', async () => {
    const { runId } = (await play({ text: LONG_STORY })).json();
    await world.scenarios!.close();
    assert.equal((await runOf(runId)).state, 'stopped');
  });
});
