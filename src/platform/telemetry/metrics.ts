import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { within } from '../flow-control/limits.ts';
import type { JobEngine } from '../jobs/engine.ts';

export interface Metrics {
  readonly registry: Registry;
  measureRequests(app: FastifyInstance): void;
  measureJobs(engine: JobEngine, countDue: () => Promise<number>): void;
  /** A family of numbers that go up and down; where nobody can say them soon it has no values. */
  addGauge(family: Family & { readonly read: () => Promise<Numbers> | Numbers }): void;
  /**
   * Counts since this process started, by the value of one label. `values` are all that it can have: who adds up increases
   * does not see the first one of a series that was not there.
   */
  addCounter<Value extends string>(
    family: Family & { readonly values: readonly Value[] },
  ): (value: Value, count: number) => void;
  /** A histogram of seconds. */
  addTimer(timer: { name: string; help: string }): (seconds: number) => void;
  /** A family of numbers that only grow while this process lives. */
  addTotals(family: Family & { readonly read: () => Numbers }): void;
}

type Numbers = Readonly<Record<string, number>>;

interface Family {
  readonly name: string;
  readonly help: string;
  readonly label: string;
}

/** A number that takes longer is worth less than the answer to whoever asked for all of them. */
const READ_MS = 2_000;
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

let ofProcess: Registry | undefined;

/** Those of the process, once, however many services it runs: what observes it has no end. */
function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

export function createMetrics(): Metrics {
  const registry = Registry.merge([processMetrics()]);
  const registers = [registry];

  return {
    registry,
    measureRequests(app) {
      const duration = new Histogram({
        name: 'linekeeper_http_request_seconds',
        help: 'Time from the first byte of a request to the last of its answer, by route; without probes and streams',
        labelNames: ['method', 'route', 'status'],
        buckets: SECONDS,
        registers,
      });
      app.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
        if (routeOptions.config.timed === false) return void done();
        // The pattern, never the path: paths hold names and numbers, and would make a series each.
        const labels = { method, route: routeOptions.url ?? 'unknown', status: reply.statusCode };
        duration.observe(labels, reply.elapsedTime / 1_000);
        done();
      });
    },
    addGauge({ name, help, label, read }) {
      const gauge = new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        async collect() {
          const numbers = await within(READ_MS, (async () => read())()).catch((): Numbers => ({}));
          gauge.reset();
          for (const [value, n] of Object.entries(numbers)) gauge.set({ [label]: value }, n);
        },
      });
    },
    addTotals({ name, help, label, read }) {
      const counter = new Counter({
        name,
        help,
        labelNames: [label],
        registers,
        collect() {
          counter.reset();
          for (const [value, n] of Object.entries(read())) counter.inc({ [label]: value }, n);
        },
      });
    },
    addCounter({ name, help, label, values }) {
      const counter = new Counter({ name, help, labelNames: [label], registers });
      for (const value of values) counter.inc({ [label]: value }, 0);
      return (value, count) => counter.inc({ [label]: value }, count);
    },
    addTimer({ name, help }) {
      const timer = new Histogram({ name, help, buckets: SECONDS, registers });
      return (seconds) => timer.observe(seconds);
    },
    measureJobs(engine, countDue) {
      const runs = new Counter({
        name: 'linekeeper_job_runs_total',
        help: 'Runs of jobs by kind and outcome, since this process started',
        labelNames: ['kind', 'outcome'],
        registers,
        collect() {
          runs.reset();
          for (const [kind, counts] of engine.counts) {
            for (const [outcome, n] of Object.entries(counts)) runs.inc({ kind, outcome }, n);
          }
        },
      });
      const due = new Gauge({
        name: 'linekeeper_jobs_unfinished',
        help: 'Jobs that are due or running, in all processes',
        registers,
        async collect() {
          due.set(await countDue().catch(() => Number.NaN));
        },
      });
    },
  };
}
