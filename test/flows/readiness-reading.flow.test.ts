import { describe, it } from 'node:test';
import { sql, trusted } from '../../src/platform/db/sql.ts';
import { MINUTE_MS } from '../support/callback-scene.ts';
import { untilFailing, untilReady } from '../support/readiness.ts';
import { makeScene } from '../support/readiness-scene.ts';

const scene = await makeScene();

describe('GET /health/ready 503: work that fails on three passes in a row', () => {
  it('failing reads of waiting messages are named too, while lanes are held without progress', async () => {
    const rename = (from: string, to: string) =>
      scene.ctx.db.exec(sql`${trusted(`alter table callback_message rename column ${from} to ${to}`)}`);
    await untilReady(scene.ask);
    scene.listener.answer = 500;
    const heard = scene.listener.heard.length;
    await scene.callbacks(1);
    await scene.listener.next(heard + 1);
    await rename('order_key', 'hidden');
    scene.pass(5 * MINUTE_MS);
    await untilFailing(scene.ask, 'callbacks.read');
    await rename('hidden', 'order_key');
    await untilReady(scene.ask);
  });
});
