import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { breakWrites, metricOf, untilFailing, untilReady } from '../support/readiness.ts';
import { makeScene, type Scene } from '../support/readiness-scene.ts';

const LEASED = 'new.lease_token = old.lease_token and new.lease_until > statement_timestamp()';

/** The table that a pass writes, so that it can be made to fail, and the work it needs. */
interface Failure {
  readonly how: Parameters<typeof breakWrites>[1];
  readonly arrange: (scene: Scene) => Promise<unknown>;
}
const failures: Record<string, Record<string, Failure>> = {
  'taking up what is due': {
    'callbacks.claim': {
      how: { table: 'callback_lane', on: 'insert or update' },
      arrange: (scene) => scene.callbacks(1),
    },
    'notifications.claim': {
      how: { table: 'notification_lane', on: 'insert or update' },
      arrange: (scene) => scene.notification(),
    },
    'jobs.claim': { how: { table: 'job', on: 'update' }, arrange: (scene) => scene.jobs(1) },
    'rules.follow': { how: { table: 'rule_change', on: 'delete' }, arrange: (scene) => scene.changeRule() },
  },
  'writing down what was done': {
    'callbacks.record': {
      how: { table: 'callback_attempt', on: 'insert' },
      arrange: (scene) => scene.callbacks(1),
    },
    'notifications.send': {
      how: { table: 'notification_recipient', on: 'update' },
      arrange: (scene) => scene.notification(),
    },
    'jobs.record': {
      how: { table: 'job', on: 'update', when: "new.state <> 'running'" },
      arrange: (scene) => scene.jobs(4),
    },
  },
  'keeping what is under way': {
    'callbacks.renew': {
      how: { table: 'callback_lane', on: 'update', when: LEASED },
      async arrange(scene) {
        scene.listener.answer = 'never';
        await scene.callbacks(1);
      },
    },
    'jobs.renew': {
      how: { table: 'job', on: 'update', when: LEASED },
      async arrange(scene) {
        scene.hold();
        await scene.jobs(1);
      },
    },
  },
};

const scene = await makeScene();
const inRow = (check: string) => `linekeeper_loop_failed_passes{loop="${check}"}`;
const isReady = (check: string) => `linekeeper_ready{check="${check}"}`;

describe('GET /health/ready 503: work that fails on three passes in a row', () => {
  for (const [what, of] of Object.entries(failures))
    it(`${what} is named in the answer and the metrics, until the first pass that succeeds`, async () => {
      await untilReady(scene.ask);
      const repairs = await Promise.all(Object.values(of).map(({ how }) => breakWrites(scene.ctx.db, how)));
      for (const { arrange } of Object.values(of)) await arrange(scene);
      for (const check of Object.keys(of)) {
        const { code, status, reason, failing } = await untilFailing(scene.ask, check);
        assert.deepEqual([code, status], [503, 'not ready']);
        // The error message contains the row.
        assert.match(failing.reason, /^\d+ passes in a row have failed: DatabaseError P0001$/);
        assert.ok(reason!.includes(`${check}: ${failing.reason}`));
        assert.equal(await metricOf(scene.ask, isReady(check)), 0, check);
        assert.ok((await metricOf(scene.ask, inRow(check)))! >= 3, check);
      }
      for (const repair of repairs) await repair();
      scene.listener.release(200);
      scene.letGo();
      await untilReady(scene.ask);
      for (const check of Object.keys(of))
        assert.deepEqual(
          [await metricOf(scene.ask, isReady(check)), await metricOf(scene.ask, inRow(check))],
          [1, 0],
        );
    });
});
