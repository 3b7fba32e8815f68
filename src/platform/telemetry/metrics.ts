import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { within } from '../flow-control/limits.ts';
import type { JobEngine } from '../jobs/engine.ts';

export interface Metrics {
  readonly registry: Registry;
  measureRequests(app: FastifyInstance): void;
  measureJobs(engine: JobEngine, countDue: () => Promise<number>): void;
  /** A family of numbers that go up and down; it has no values if they cannot be read soon. */
  addGauge(family: Family & { readonly read: () => Promise<Numbers> | Numbers }): void;
  /**
   * Counts since the start of this process, by the value of one label. `values` are all its possible values: a query that adds
   * up increases misses the first one of a series that did not exist before.
   */
  addCounter<Value extends string>(
    family: Family & { readonly values: readonly Value[] },
  ): (value: Value, count: number) => void;
  /** A histogram of seconds. */
  addTimer(timer: { name: string; help: string }): (seconds: number) => void;
  /** A family of numbers that only grow during the life of this process. */
  addTotals(family: Family & { readonly read: () => Numbers }): void;
}

type Numbers = Readonly<Record<string, number>>;

interface Family {
  readonly name: string;
  readonly help: string;
  readonly label: string;
}

/** A number that takes longer is left out, so that the other numbers are returned. */
const READ_MS = 2_000;
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

let ofProcess: Registry | undefined;

/** Metrics of the process, created once for all its services, because their observers never end. */
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
        // The pattern of the route, because paths contain names and numbers, and each would make a series.
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
