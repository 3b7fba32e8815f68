import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeWorld } from '../../../../test/support/world.ts';
import { areActionsPaused, pauseActions, resumeActions } from '../index.ts';

const world = await makeWorld();

describe('pausing actions', () => {
  it('holds until they are resumed, and can be repeated', async () => {
    assert.equal(await areActionsPaused(world.ctx), false);
    assert.equal(await pauseActions(world.ctx, 'first'), true);
    assert.equal(await pauseActions(world.ctx, 'second'), false);
    assert.equal(await areActionsPaused(world.ctx), true);
    assert.equal(await resumeActions(world.ctx), true);
    assert.equal(await resumeActions(world.ctx), false);
    assert.equal(await areActionsPaused(world.ctx), false);
  });
});
