import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OtlpSpan, openCollector } from '../support/collector.ts';
import { createTestDatabase } from '../support/database.ts';
import { ACCOUNT, basic, CLIENT, SMALL_FLEET, USER } from '../support/fleet.ts';
import { openListener } from '../support/listener.ts';
import {
  makeDataDir,
  removeDataDir,
  runToEnd,
  type ServiceProcess,
  startServiceProcess,
} from '../support/service-process.ts';

const OPERATOR_KEY = 'operator-key-of-this-test';
const CALLER = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };

describe('traces', async () => {
  const dataDir = makeDataDir();
  const { url: databaseUrl, drop } = await createTestDatabase();
  const collector = await openCollector();
  const listener = await openListener();
  let service: ServiceProcess;

  const send = async (path: string, headers: Record<string, string>, body: string | URLSearchParams) => {
    const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers, body });
    assert.ok(answer.ok, await answer.clone().text());
    return (await answer.json()) as Record<string, string>;
  };
  /** Traces are exported in batches, so not at once. */
  async function spanOf(name: string): Promise<OtlpSpan> {
    for (let tries = 0; tries < 300; tries++) {
      const found = collector.spans().find((span) => span.name === name && span.traceId === CALLER.traceId);
      if (found !== undefined) return found;
      await sleep(100);
    }
    throw new Error(`no span ${name} of this trace, but ${collector.spans().map((span) => span.name)}`);
  }

  before(async () => {
    service = await startServiceProcess(dataDir, {
      DATABASE_URL: databaseUrl,
      LINEKEEPER_MODE: 'sandbox',
      LINEKEEPER_OPERATOR_KEY: OPERATOR_KEY,
      LINEKEEPER_CONSOLE: 'off',
      ...collector.env,
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
    });
    await send(
      '/operator/v1/import',
      { authorization: `Bearer ${OPERATOR_KEY}` },
      JSON.stringify(SMALL_FLEET),
    );
    const grant = new URLSearchParams({ grant_type: 'client_credentials' });
    const { access_token } = await send('/ts/v1/oauth2/token', { authorization: basic(CLIENT) }, grant);
    const authorization = `Bearer ${access_token}`;
    const { sessionToken } = await send('/m2m/v1/session/login', { authorization }, JSON.stringify(USER));
    const headers = { authorization, 'svc-m2m-token': sessionToken! };
    const url = listener.url;
    await send(`/m2m/v1/callbacks/${ACCOUNT}`, headers, JSON.stringify({ name: 'CarrierService', url }));
    await send(
      '/m2m/v1/devices/actions/suspend',
      { ...headers, traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` },
      JSON.stringify({
        accountName: ACCOUNT,
        devices: [{ deviceIds: [{ id: '990000000000011', kind: 'imei' }] }],
      }),
    );
    await listener.next();
  });
  after(async () => {
    await service.stop();
    removeDataDir(dataDir);
    await drop();
  });

  it('connect the caller, the request, its job and the delivery of its callback', async () => {
    const request = await spanOf('POST /api/m2m/v1/devices/actions/suspend');
    const delivery = await spanOf('callback CarrierService');
    const job = collector.spans().find(({ spanId }) => spanId === delivery.parentSpanId);
    assert.equal(request.parentSpanId, CALLER.spanId);
    assert.match(job?.name ?? '', /^job /);
    assert.deepEqual([job?.traceId, job?.parentSpanId], [CALLER.traceId, request.spanId]);
  });

  it('continue at the listener, which gets the trace of its attempt', async () => {
    const { traceId, spanId } = await spanOf('callback CarrierService');
    assert.equal(listener.heard[0]?.headers['traceparent'], `00-${traceId}-${spanId}-01`);
  });

  it('contain patterns and ids, but no devices and tokens', async () => {
    await spanOf('callback CarrierService');
    const sent = JSON.stringify(collector.bodies());
    assert.match(sent, /deployment\.environment/);
    assert.match(sent, /"service\.name","value":\{"stringValue":"linekeeper"\}/);
    assert.doesNotMatch(sent, /990000000000011|5550100001|Bearer|app-secret/);
  });
});

describe('a wrong setting of traces', () => {
  for (const [name, value, sentence] of [
    ['OTEL_TRACES_EXPORTER', 'zipkin', 'OTEL_TRACES_EXPORTER is otlp, console or none, not zipkin.'],
    [
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      'grpc',
      'OTEL_EXPORTER_OTLP_PROTOCOL is http/protobuf or http/json, not grpc.',
    ],
  ] as const)
    it(`is reported in one sentence: ${name}`, async () => {
      const dataDir = makeDataDir();
      const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', [name]: value };
      const { code, output } = await runToEnd(dataDir, env);
      removeDataDir(dataDir);
      assert.notEqual(code, 0);
      assert.ok(output.includes(`linekeeper: ${sentence}`), output);
    });
});
