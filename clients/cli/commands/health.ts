import type { Command } from 'commander';
import { createSend, LinekeeperError, readJson } from '../../sdk/index.ts';
import { Failure } from '../failure.ts';
import { nodeFetch } from '../open-request.ts';
import { printOutcome } from '../print.ts';
import { runOf } from '../run.ts';
import { findUrl } from '../settings.ts';

const HEALTH_SECONDS = 10;

interface Health {
  readonly status: string;
  readonly reason?: string;
}

/** Needs no key and sends none: it also answers whether the address alone is right. */
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

export function addHealth(program: Command): void {
  program
    .command('health')
    .description('Shows whether the service is up and ready to serve requests; needs no key.')
    .addHelpText('after', '\nExample:\n  $ linekeeper health')
    .action(checkHealth);
}
