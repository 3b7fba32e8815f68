import { readFile, writeFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import type { Command } from 'commander';
import { readCalls, readOutcome, recordSession, type Session } from '../../simulator/scenarios/index.ts';
import { Failure, wrongUsage } from '../failure.ts';
import { type Invocation, invocationOf } from '../invocation.ts';
import { plainText } from '../plain-text.ts';
import { printOutcome, remark } from '../print.ts';

export interface RecordOptions {
  readonly account?: string;
  readonly since?: string;
  readonly from?: string;
  readonly to?: string;
  readonly fleet?: string;
}

const EXAMPLE = 'linekeeper scenario record session.yaml --account 0000123456-00001 --fleet before.json';

async function readFleet(
  invocation: Invocation,
  { fleet, account }: RecordOptions,
): Promise<Session['fleet']> {
  const { api, around } = invocation;
  if (fleet === undefined) {
    const query = { accountName: account };
    return api.transfer('GET /operator/v1/export', { query, idleSeconds: 60 }, async (answer) =>
      JSON.parse(await answer.text()),
    );
  }
  try {
    return JSON.parse(await readFile(resolve(around.cwd, fleet), 'utf8'));
  } catch (error) {
    throw wrongUsage(`${fleet} is not a fleet document: ${(error as Error).message}`);
  }
}

/** Writes a scenario from the request log. */
export async function record(file: string, options: RecordOptions, command: Command): Promise<void> {
  const { account: accountName, fleet } = options;
  if (accountName === undefined)
    throw wrongUsage('Give --account: the account whose calls become steps', EXAMPLE);
  if (!/\.(ya?ml|json)$/.test(file)) throw wrongUsage(`${file} must end with .yaml, .yml or .json`, EXAMPLE);
  const invocation = invocationOf(command);
  const calls = await readCalls(invocation.api, options);
  const began = calls.find((call) => call.accountName === accountName);
  if (began === undefined)
    throw new Failure('refused', `The request log has no calls of account ${accountName}`);
  const recorded = await recordSession(
    {
      name: basename(file, extname(file)),
      ...{ accountName, calls, fleet: await readFleet(invocation, options) },
      ...(await readOutcome(invocation.api, accountName, calls[0]!.at)),
    },
    file,
  ).catch((error: Error) => {
    throw new Failure('refused', error.message);
  });
  await writeFile(resolve(invocation.around.cwd, file), recorded.text).catch((error: Error) => {
    throw wrongUsage(`Cannot write ${file}: ${error.message}`);
  });
  const { steps, notes } = recorded;
  const asItIs =
    'The scenario starts from the current fleet of the account; use --fleet for the one at the start of the session.';
  for (const note of [...notes, ...(fleet === undefined ? [asItIs] : [])])
    if (!invocation.json) remark(invocation, plainText(note));
  printOutcome(invocation, { file, steps, notes }, `Wrote ${steps} steps to ${file}.`);
}
