import { readFile, writeFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import type { Command } from 'commander';
import { type Answer, list } from '../../sdk/index.ts';
import { recordSession, type Session } from '../../simulator/scenarios/index.ts';
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

const PAGE = 1_000;
const ROWS_MAX = 1_000;
const EXAMPLE = 'linekeeper scenario record session.yaml --account 0000123456-00001 --fleet before.json';

type Call = Answer<'GET /operator/v1/requests'>[number];

/** The oldest first. What one caused is asked for whole where the list has only its beginning. */
async function readCalls({ api }: Invocation, { since, from = '', to }: RecordOptions): Promise<Call[]> {
  const found: Call[] = [];
  for await (const call of list(api, 'GET /operator/v1/requests', { query: { since, limit: PAGE } })) {
    if (call.id < from) break;
    if (to !== undefined && call.id > to) continue;
    const { id } = call;
    found.push(call.caused.more ? await api.call('GET /operator/v1/requests/{id}', { path: { id } }) : call);
  }
  return found.reverse();
}

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
    throw wrongUsage(`${fleet} is no fleet document: ${(error as Error).message}`);
  }
}

/** What there is of the account since then. */
async function readOutcome({ api }: Invocation, accountName: string, since: string) {
  const query = { accountName, limit: ROWS_MAX };
  const firings = await api.call('GET /operator/v1/firings', { query });
  const callbacks = await api.call('GET /operator/v1/callbacks', { query });
  const isSome = ({ length }: readonly unknown[]) => length < ROWS_MAX;
  return {
    firings: isSome(firings) ? firings.filter(({ firedAt }) => firedAt >= since) : [],
    callbacks: isSome(callbacks) ? callbacks.filter(({ createdAt }) => createdAt >= since) : [],
  };
}

/** Writes a scenario from the log of requests. */
export async function record(file: string, options: RecordOptions, command: Command): Promise<void> {
  const { account: accountName, fleet } = options;
  if (accountName === undefined) throw wrongUsage('--account says whose calls are recorded', EXAMPLE);
  if (!/\.(ya?ml|json)$/.test(file)) throw wrongUsage(`${file} must end with .yaml, .yml or .json`, EXAMPLE);
  const invocation = invocationOf(command);
  const calls = await readCalls(invocation, options);
  const began = calls.find((call) => call.accountName === accountName);
  if (began === undefined) throw new Failure('refused', `The log has no calls of account ${accountName}`);
  const recorded = await recordSession(
    {
      name: basename(file, extname(file)),
      ...{ accountName, calls, fleet: await readFleet(invocation, options) },
      ...(await readOutcome(invocation, accountName, calls[0]!.at)),
    },
    file,
  ).catch((error: Error) => {
    throw new Failure('refused', error.message);
  });
  await writeFile(resolve(invocation.around.cwd, file), recorded.text).catch((error: Error) => {
    throw wrongUsage(`Cannot write ${file}: ${error.message}`);
  });
  const { steps, notes } = recorded;
  const asItIs = 'The fleet is the account as it is now; --fleet takes the one that the session began with.';
  for (const note of [...notes, ...(fleet === undefined ? [asItIs] : [])])
    if (!invocation.json) remark(invocation, plainText(note));
  printOutcome(invocation, { file, steps, notes }, `Wrote ${steps} steps to ${file}.`);
}
