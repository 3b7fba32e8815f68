import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import { openCollector } from '../../../../../test/support/collector.ts';
import { createLog } from '../../log.ts';
import { openTracing } from '../open-tracing.ts';
import { traceRequests } from '../trace-requests.ts';

const collector = await openCollector();
// The exporters read their variables from the environment.
Object.assign(process.env, collector.env);
const openHere = (env: Record<string, string> = {}) =>
  openTracing({ ...process.env, ...env }, createLog('silent'), '1.0.0');
const statusOf = (name: string) => collector.spans().find((span) => span.name === name)?.status;

describe('the span of a request', () => {
  it('ends even if the caller disconnects before the answer, and records that', async () => {
    const tracing = await openHere();
    const app = Fastify();
    const [begun, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    traceRequests(app, tracing);
    app.get('/slow', async () => {
      begun.resolve();
      await answered.promise;
      return 'late';
    });
    app.get('/quick', async () => 'soon');
    app.get('/broken', async () => {
      throw new Error('broken');
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const caller = new AbortController();
    const call = fetch(`${url}/slow`, { signal: caller.signal });
    await begun.promise;
    caller.abort();
    await assert.rejects(call);
    await fetch(`${url}/quick`);
    await fetch(`${url}/broken`);
    answered.resolve();
    await app.close();
    await tracing.close();
    assert.deepEqual(
      ['GET /slow', 'GET /quick', 'GET /broken'].map((name) => statusOf(name)?.message),
      ['closed before the end of the answer', undefined, 'answered 500'],
    );
    assert.equal(collector.spans().length, 3);
  });
});

describe('an empty trace setting', () => {
  for (const name of ['OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG', 'OTEL_BSP_MAX_QUEUE_SIZE'])
    it(`counts as absent: ${name}`, async () => {
      const ratio = name === 'OTEL_TRACES_SAMPLER_ARG' ? { OTEL_TRACES_SAMPLER: 'traceidratio' } : {};
      const tracing = await openHere({ ...ratio, [name]: '' });
      tracing.begin(`without ${name}`, { kind: 'server', parent: undefined })?.end();
      await tracing.close();
      assert.ok(statusOf(`without ${name}`));
    });
});
