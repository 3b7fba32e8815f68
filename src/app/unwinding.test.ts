import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../platform/telemetry/log.ts';
import { Unwinding } from './unwinding.ts';

/** Notes the parts it is told of as not stopped. */
function watchedLog() {
  const told: unknown[] = [];
  const log = createLog('silent');
  log.error = (({ part }: { part: string }) => void told.push(part)) as typeof log.error;
  return { log, told };
}

describe('unwinding', () => {
  it('ends all who take up work at once, and then in reverse what they stood on', async () => {
    const { log, told } = watchedLog();
    const unwinding = new Unwinding(log);
    const ended: string[] = [];
    const part = (name: string, ms = 0) => {
      const undo = () => sleep(ms).then(() => ended.push(name));
      return [name, undo] as const;
    };
    unwinding.add(...part('database'));
    unwinding.addWorker(...part('slow worker', 40));
    unwinding.add(...part('feed'));
    unwinding.addWorker(...part('quick worker'));
    await unwinding.run();
    assert.deepEqual(ended, ['quick worker', 'slow worker', 'feed', 'database']);
    assert.deepEqual(told, []);
  });

  it('goes on where a part fails or never ends, and says which', async () => {
    const { log, told } = watchedLog();
    const unwinding = new Unwinding(log);
    let closed = false;
    unwinding.add('database', async () => {
      closed = true;
    });
    unwinding.add('feed', () => Promise.reject(new Error('lost')));
    unwinding.add('list of nodes', () => Promise.withResolvers<void>().promise, 20);
    unwinding.addWorker('jobs', () => Promise.withResolvers<void>().promise, 20);
    await unwinding.run();
    assert.ok(closed);
    assert.deepEqual(told, ['jobs', 'list of nodes', 'feed']);
  });
});
