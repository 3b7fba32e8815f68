import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { postNotifications } from '../../src/features/notifications/index.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { enqueueJobs } from '../../src/platform/jobs/enqueue.ts';
import { defineJob } from '../../src/platform/jobs/job.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { openTracing } from '../../src/platform/telemetry/tracing/open-tracing.ts';
import { openCollector } from '../support/collector.ts';
import { ACCOUNT, SMALL_FLEET } from '../support/fleet.ts';
import { openMailServer } from '../support/mail-server.ts';
import { makeWorld } from '../support/world.ts';

const ECPD = '9000001';
const PERSON = 'reject-jane@x.example';

const failing = defineJob({
  kind: 'test.failing',
  schema: Type.Object({ what: Type.String() }),
  attemptsMax: 1,
  commits: 'steps',
  async run({ db }, { what }) {
    if (what === 'value') await db.exec(sql`select ${PERSON}::text::int`);
    throw new TypeError(`${PERSON} is no ${what}`);
  },
});

describe('traces of what failed', () => {
  it('have the kind of failure, but no message from a server or the database', async () => {
    const collector = await openCollector();
    // The exporters read their environment variables themselves.
    Object.assign(process.env, collector.env);
    const tracing = await openTracing(process.env, createLog('silent'), '1.0.0');
    const server = await openMailServer();
    const { ctx, notifier, engine, operator, ...world } = await makeWorld({
      env: { LINEKEEPER_SMTP_URL: server.url },
      jobs: [failing],
      tracing,
    });
    await world.import(SMALL_FLEET);
    const mail = { accountName: ACCOUNT, channel: 'mail', subject: 'Usage', text: 'At 90 %.' } as const;
    await postNotifications(ctx, ECPD, [{ ...mail, to: [PERSON], dedupeKey: 'one' }]);
    await notifier.settle();
    const request = tracing.begin('request', { kind: 'server', parent: undefined })!;
    await enqueueJobs({ ...ctx, trace: request.traceparent }, failing, ECPD, [
      { payload: { what: 'value' } },
      { payload: { what: 'person' } },
    ]);
    await engine.settle();
    request.end();
    await tracing.close();

    const [listed] = (await operator('GET', '/mail')).json();
    assert.match(listed.recipients[0].reason, new RegExp(PERSON), 'the server has quoted the address');
    const told = (name: string) =>
      collector
        .spans()
        .filter((span) => span.name === name)
        .map(({ status }) => status.message)
        .sort();
    assert.deepEqual(told('mail'), ['failed']);
    assert.deepEqual(told('job test.failing'), ['DatabaseError 22P02', 'TypeError']);
    assert.ok(!JSON.stringify(collector.bodies()).includes('jane'));
  });
});
