import type { Command } from 'commander';
import { createSend, LinekeeperError, readJson } from '../../sdk/index.ts';
import { Failure } from '../failure.ts';
import { invocationOf } from '../invocation.ts';
import { nodeFetch } from '../open-request.ts';
import { printLines, printOutcome } from '../print.ts';
import { runOf } from '../run.ts';
import { findUrl } from '../settings.ts';

const HEALTH_SECONDS = 10;

interface Health {
  readonly status: string;
  readonly reason?: string;
}

/** Needs no key and sends none, so it also checks the address alone. */
async function checkHealth(_: object, command: Command): Promise<void> {
  const run = runOf(command);
  const base = findUrl(run);
  const timeoutMs = (run.options.timeout ?? HEALTH_SECONDS) * 1_000;
  const send = createSend({ baseUrl: base.origin, fetch: nodeFetch(), timeoutMs });
  try {
    const health = await send('GET /health/ready', {}, {}, readJson<Health>);
    printOutcome(run, { ...health, url: base.href }, `The service at ${base.href} is ${health.status}.`);
  } catch (error) {
    if (!(error instanceof LinekeeperError) || error.status !== 503) throw error;
    const { status, body } = error;
    const reason = (body as Health | undefined)?.reason;
    const title = reason === undefined ? 'The service is not ready' : `The service is not ready: ${reason}`;
    throw new Failure('refused', title, { status });
  }
}

async function showWorkers(_: object, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const answer = await invocation.api.call('GET /operator/v1/database');
  const lines = answer.workers.map(
    ({ name, answers, since }) => `${name} ${answers ? 'answers' : 'does not answer'} since ${since}`,
  );
  printLines(invocation, answer, answer.distributed ? lines : ['The database is one server.']);
}

async function showProcesses(_: object, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const answer = await invocation.api.call('GET /operator/v1/service');
  const lines = answer.processes.flatMap(({ nodeId, role, state, upSeconds, failing, notices, feeds }) => [
    `${nodeId} (${role}): ${state}, up for ${upSeconds} s`,
    ...[...failing, ...notices].map(({ check, reason }) => `  ${check}: ${reason}`),
    ...feeds.map(
      ({ feed, ratePerSecond, taken, rejected }) =>
        `  ${feed}: ${ratePerSecond.toFixed(1)} records a second, ${taken} accepted, ${rejected} rejected`,
    ),
  ]);
  printLines(invocation, answer, lines.length === 0 ? ['No process has reported yet.'] : lines);
}

export function addHealth(program: Command): void {
  program
    .command('health')
    .description('Shows whether the service is up and ready to serve requests; needs no key.')
    .addHelpText('after', '\nExample:\n  $ linekeeper health')
    .action(checkHealth);
  program
    .command('processes')
    .description('Shows the processes of the service, their failing checks, and their feeds.')
    .addHelpText('after', '\nExample:\n  $ linekeeper processes')
    .action(showProcesses);
  program
    .command('workers')
    .description('Shows which workers of a distributed database answer.')
    .addHelpText('after', '\nExample:\n  $ linekeeper workers')
    .action(showWorkers);
}
