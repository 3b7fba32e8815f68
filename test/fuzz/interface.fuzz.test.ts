import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fuzzArea } from './support/fuzz-area.ts';

const { world } = await fuzzArea(/^\/(ts|m2m|v2|fota|loc|subsc|dm)\//);

it('whatever was taken can be worked: no job fails', async () => {
  await world.engine.settle();
  const jobs = (await world.operator('GET', '/jobs?limit=1000')).json() as { lastError: string | null }[];
  assert.ok(jobs.length > 0);
  assert.deepEqual(
    jobs.filter(({ lastError }) => lastError !== null),
    [],
  );
});
