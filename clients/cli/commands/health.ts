import type { Command } from 'commander';
import { refusedBy } from '../failure.ts';
import { openRequest } from '../open-request.ts';
import { readJsonBody } from '../operator-api.ts';
import { printOutcome } from '../print.ts';
import { findUrl, type GlobalOptions } from '../settings.ts';

const HEALTH_SECONDS = 10;

interface Health {
  readonly status: string;
  readonly reason?: string;
}

/** Needs no key and sends none: it also answers whether the address alone is right. */
async function checkHealth(_: object, command: Command): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions>();
  const base = findUrl(options);
  const url = new URL('/health/ready', base.origin);
  const totalMs = (options.timeout ?? HEALTH_SECONDS) * 1_000;
  const response = await openRequest(url, { method: 'GET', totalMs });
  const health = await readJsonBody<Health>(response, url);
  const status = response.statusCode ?? 0;
  if (status !== 200) {
    const detail = health.reason;
    throw refusedBy({ title: 'The service is not ready', ...(detail && { detail }), status }, status);
  }
  const json = options.json ?? false;
  printOutcome({ json }, { ...health, url: base.href }, `The service at ${base.href} is ${health.status}.`);
}

export function addHealth(program: Command): void {
  program
    .command('health')
    .description('Tells whether the service is up and ready to serve requests; needs no key.')
    .addHelpText('after', '\nExample:\n  $ linekeeper health')
    .action(checkHealth);
}
