import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { attempt, isSuccess, prepare } from './attempt.ts';
import { aliases, type Operation, operations } from './document.ts';
import { IS_NOT_HERE, isForEverybody } from './exceptions.ts';
import { type MadeUp, requestsTo } from './request.ts';
import { rightRequestTo } from './right-request.ts';
import { IS_LONG, MENDINGS_MAX, runsOn } from './runs.ts';
import { type Caller, makeScene, type Scene } from './scene.ts';

/** Only these can end a session, remove an account or move time. */
const canBreakTheWorld = ({ method, path }: Operation): boolean =>
  method !== 'GET' && /^\/(operator|ts|m2m\/v1\/session|console\/v1\/sign-out)/.test(path);

/** Others call first: if one of them got in, nothing would be left for the owner. */
async function tryRight(scene: Scene, operation: Operation): Promise<void> {
  await prepare(scene, operation);
  const right = rightRequestTo(operation);
  for (const caller of ['stranger', 'nobody'] as const)
    await attempt(scene, operation, caller, right, isForEverybody(operation) ? undefined : 'refusal');
  await attempt(scene, operation, 'owner', right, operation.id in IS_NOT_HERE ? undefined : 'success');
  if (canBreakTheWorld(operation)) await scene.mend();
}

/** Earlier calls by others may have left little of the world. */
const prepareWhole = (scene: Scene, operation: Operation): Promise<void> =>
  prepare(scene, operation).catch(async () => {
    await scene.restore();
    await prepare(scene, operation);
  });

/** Sends generated requests of one caller to one operation; returns how many succeeded. */
async function tryMadeUp(scene: Scene, operation: Operation, caller: Caller): Promise<number> {
  let [successes, mendings, preparations] = [0, 0, 0];
  if (IS_LONG) await prepareWhole(scene, operation);
  const tryOne = async (made: MadeUp): Promise<void> => {
    if (mendings >= MENDINGS_MAX) return;
    if (!isSuccess(await attempt(scene, operation, caller, made))) return;
    successes++;
    if (canBreakTheWorld(operation) && (await scene.mend())) mendings++;
    if (caller === 'owner' && ++preparations < MENDINGS_MAX) await prepareWhole(scene, operation);
  };
  const property = fc.asyncProperty(requestsTo(operation), tryOne);
  const numRuns = runsOn(caller, canBreakTheWorld(operation));
  await fc.assert(property, { numRuns, endOnFailure: true });
  return successes;
}

async function workEverything({ world }: Scene): Promise<void> {
  await world.engine.settle();
  const jobs = (await world.operator('GET', '/jobs?limit=1000')).json() as { lastError: string | null }[];
  assert.ok(jobs.length > 0);
  assert.deepEqual(
    jobs.filter(({ lastError }) => lastError !== null),
    [],
  );
}

/** Calls every operation of the document with a matching path, as every caller, with all kinds of values. */
export async function fuzzArea(area: RegExp): Promise<void> {
  const scene = await makeScene();
  const chosen = [...operations, ...aliases].filter(({ path }) => area.test(path));
  const titleOf = ({ method, path }: Operation) => `${method} ${path}`;

  describe('a request that is right succeeds for its owner and is refused to others', () => {
    for (const operation of chosen)
      it(titleOf(operation), () =>
        tryRight(scene, operation).catch(async () => {
          await scene.restore();
          await tryRight(scene, operation);
        }),
      );
  });
  for (const caller of ['owner', 'stranger', 'nobody'] as const)
    describe(`whatever ${caller} sends is answered as the document says`, () => {
      for (const operation of chosen)
        it(titleOf(operation), async () => {
          const successes = await tryMadeUp(scene, operation, caller);
          if (IS_LONG && caller === 'owner' && successes === 0 && !(operation.id in IS_NOT_HERE))
            throw new Error('none of the made-up requests got through: what lies behind is untested');
        });
    });
  it('whatever was taken can be worked: no job fails', () => workEverything(scene));
}
