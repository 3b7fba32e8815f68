import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../src/platform/db/sql.ts';
import { beyond, type Change, watchRows } from './naming/changes.ts';
import { slipsIn } from './naming/slips.ts';
import { attempt, isSuccess, prepare } from './support/attempt.ts';
import { type Operation, operations } from './support/document.ts';
import { IS_NOT_HERE } from './support/exceptions.ts';
import { PREPARATIONS } from './support/prepare.ts';
import { rightRequestTo } from './support/right-request.ts';
import { SAMPLES } from './support/samples.ts';
import { makeScene } from './support/scene.ts';

/** Operations whose body concerns neither a line nor anything else that a customer has. */
const ABOUT_SOMETHING_ELSE: Readonly<Record<string, string>> = {
  logIn: 'who signs in',
  consoleSignIn: 'who signs in',
  resetPassword: 'who signs in',
  operatorMoveClock: 'time, which everything follows',
  operatorImport: 'a document that says all by name and has no unknown members',
};

/** Operations that report something and change nothing. */
const READS = /^(list|query|count|read|backtest|reportLocation)/;

/** The interface defines these cases: a misspelt or null member counts as absent (docs/interface-notes.md). */
const AS_DOCUMENTED: Readonly<Record<string, readonly string[]>> = {
  /** A list of exclusions without `type` replaces the previous one. */
  changeExclusions: ['type misspelt', 'type null'],
};

const isObject = (body: unknown): body is Members =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

const chosen = operations.filter(
  ({ id, method, isForm }) =>
    method !== 'GET' &&
    !READS.test(id) &&
    !isForm &&
    !(id in ABOUT_SOMETHING_ELSE) &&
    !(id in IS_NOT_HERE) &&
    isObject(SAMPLES[id]?.[0]),
);

type Members = Readonly<Record<string, unknown>>;
const namesIn = (body: Members): string => Object.keys(body).toSorted().join();

/** Bodies with the same members have the same slips, so the first body is enough. */
const bodiesOf = ({ id }: Operation): readonly Members[] =>
  (SAMPLES[id] ?? [])
    .filter(isObject)
    .filter((body, n, all) => all.findIndex((other) => namesIn(other) === namesIn(body)) === n);

const scene = await makeScene();
const { world } = scene;
const rows = await watchRows(world.ctx.db);

const send = (operation: Operation, body: object) =>
  attempt(scene, operation, 'owner', { ...rightRequestTo(operation), body: JSON.stringify(body) });

/** The lines with an identifier in the request. Undefined if it names none and concerns all lines or something else. */
async function linesNamedIn(operation: Operation, body: object): Promise<ReadonlySet<string> | undefined> {
  const { path, query } = rightRequestTo(operation);
  const text = scene.known.resolve(path + query + JSON.stringify(body), (value) => value);
  const lines = await world.ctx.db.many<{ id: string; names: string[] }>(sql`
    select device_id as id, array_remove(array[device_id::text, record->>'id', imei, iccid, imsi, mdn, msisdn, meid, esn], null)
      as names from device`);
  const named = lines.filter(({ names }) => names.some((name) => text.includes(name)));
  return named.length === 0 ? undefined : new Set(named.map(({ id }) => id));
}

/** Recreates what a success uses up. */
async function makeReady(operation: Operation): Promise<void> {
  if (operation.id in PREPARATIONS) {
    await prepare(scene, operation);
    await world.engine.settle();
  }
  await rows.begin();
}

/** The changes that a valid body makes. It must make some, because slips are compared with them. */
async function doRight(operation: Operation, body: object): Promise<readonly Change[]> {
  await makeReady(operation);
  const answer = await send(operation, body);
  assert.ok(isSuccess(answer), answer.body);
  await world.engine.settle();
  return rows.changes();
}

/** Checks consecutive refusals together: they must change nothing. */
async function trySlips(operation: Operation, body: Members): Promise<void> {
  const right = await doRight(operation, body);
  const named = await linesNamedIn(operation, body);
  assert.deepEqual(beyond(right, right, named), [], 'the body as it should be');
  await makeReady(operation);
  const refused: string[] = [];
  const check = async (what: string, allowed: readonly Change[]) => {
    await world.engine.settle();
    assert.deepEqual(beyond(allowed, await rows.changes(), named), [], what);
  };
  for (const slip of slipsIn(body)) {
    if (AS_DOCUMENTED[operation.id]?.includes(slip.what)) continue;
    if (!isSuccess(await send(operation, slip.body))) {
      refused.push(slip.what);
      continue;
    }
    await check(`${slip.what} (refused before: ${refused.splice(0).join(', ')})`, right);
    await makeReady(operation);
  }
  await check(`refused: ${refused.join(', ')}`, []);
}

describe('a body with a member misspelt, null or empty acts on nothing that the right one does not act on', () => {
  for (const operation of chosen)
    it(`${operation.method} ${operation.path}`, async () => {
      for (const body of bodiesOf(operation)) await trySlips(operation, body);
    });
});
