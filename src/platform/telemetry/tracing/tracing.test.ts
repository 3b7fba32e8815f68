import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { samplerOf } from './open-telemetry.ts';
import { wantedExporter } from './open-tracing.ts';
import { parseTraceParent } from './tracing.ts';

const [TRACE, SPAN] = ['1'.repeat(32), '2'.repeat(16)];

describe('a traceparent', () => {
  it('is parsed to its ids and its sampling flag', () => {
    assert.deepEqual(parseTraceParent(`00-${TRACE}-${SPAN}-01`), {
      traceId: TRACE,
      spanId: SPAN,
      traceFlags: 1,
    });
    assert.equal(parseTraceParent(`00-${TRACE}-${SPAN}-00`)?.traceFlags, 0);
  });

  for (const text of [
    undefined,
    '',
    `00-${TRACE}-${SPAN}`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.replace('1', 'g')}-${SPAN}-01`,
    ['00'],
  ])
    it(`is ignored if it is invalid: ${JSON.stringify(text)}`, () => {
      assert.equal(parseTraceParent(text), undefined);
    });
});

describe('traces', () => {
  for (const [env, wanted] of [
    [{}, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, 'http/protobuf'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }, 'http/protobuf'],
    [{ OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, 'http/json'],
    [{ OTEL_TRACES_EXPORTER: 'console' }, 'console'],
    [{ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, undefined],
    [{ OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, undefined],
  ] as const)
    it(`are ${wanted === undefined ? 'off' : `sent by ${wanted}`} with ${JSON.stringify(env)}`, () => {
      assert.equal(wantedExporter(env), wanted);
    });

  it('are sampled by the variable', () => {
    assert.match(samplerOf().toString(), /^ParentBased\{root=AlwaysOnSampler/);
    assert.equal(samplerOf('always_off').toString(), 'AlwaysOffSampler');
    assert.match(samplerOf('parentbased_traceidratio', '0.25').toString(), /TraceIdRatioBased\{0\.25\}/);
  });

  it('accept no unknown sampler and no ratio above one', () => {
    assert.throws(() => samplerOf('jaeger_remote'), /OTEL_TRACES_SAMPLER is one of always_on, /);
    assert.throws(
      () => samplerOf('traceidratio', '2'),
      /OTEL_TRACES_SAMPLER_ARG is a number from 0 to 1, not 2\./,
    );
  });
});
