import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../platform/telemetry/log.ts';
import { Shutdown } from './shutdown.ts';

/** Notes the parts that are logged as not stopped. */
function recordingLog() {
  const logged: unknown[] = [];
  const log = createLog('silent');
  log.error = (({ part }: { part: string }) => void logged.push(part)) as typeof log.error;
  return { log, logged };
}

describe('a shutdown', () => {
  it('stops all that takes up work at once, and then in reverse order what that stood on', async () => {
    const { log, logged } = recordingLog();
    const shutdown = new Shutdown(log);
    const ended: string[] = [];
    const part = (name: string, ms = 0) => {
      const stop = () => sleep(ms).then(() => ended.push(name));
      return [name, stop] as const;
    };
    shutdown.add(...part('database'));
    shutdown.addWorker(...part('slow worker', 40));
    shutdown.add(...part('feed'));
    shutdown.addWorker(...part('quick worker'));
    await shutdown.run();
    assert.deepEqual(ended, ['quick worker', 'slow worker', 'feed', 'database']);
    assert.deepEqual(logged, []);
  });

  it('goes on where a part fails or never ends, and says which', async () => {
    const { log, logged } = recordingLog();
    const shutdown = new Shutdown(log);
    let closed = false;
    shutdown.add('database', async () => {
      closed = true;
    });
    shutdown.add('feed', () => Promise.reject(new Error('lost')));
    shutdown.add('list of nodes', () => Promise.withResolvers<void>().promise, 20);
    shutdown.addWorker('jobs', () => Promise.withResolvers<void>().promise, 20);
    await shutdown.run();
    assert.ok(closed);
    assert.deepEqual(logged, ['jobs', 'list of nodes', 'feed']);
  });
});
