import type { Command } from 'commander';
import { list, pages } from '../../sdk/index.ts';
import { Ended, EXIT } from '../failure.ts';
import { type Invocation, invocationOf } from '../invocation.ts';
import { plainText } from '../plain-text.ts';
import { print, printOutcome } from '../print.ts';
import { type Progress, startProgress } from '../progress.ts';
import { describeDifference, type UsageDifference } from '../usage-difference.ts';

/** The service's time limit for the largest part of an account. */
const STEP_SECONDS = 11 * 60;
const ACCOUNTS_PER_PAGE = 1_000;

interface Totals {
  accounts: number;
  checked: number;
  differences: number;
}

async function* listAccounts({ api }: Invocation): AsyncGenerator<string> {
  const accounts = list(api, 'GET /operator/v1/accounts', { query: { limit: ACCOUNTS_PER_PAGE } });
  for await (const { accountName } of accounts) yield accountName;
}

/** Prints differences as they are found, because there may be many. */
function printDifference(invocation: Invocation, accountName: string, difference: UsageDifference): void {
  const whole = { accountName, ...difference };
  const text = invocation.json
    ? JSON.stringify(whole)
    : plainText(describeDifference(accountName, difference));
  print(invocation, text);
}

async function reconcileAccount(
  invocation: Invocation,
  accountName: string,
  totals: Totals,
  progress: Progress,
): Promise<void> {
  const steps = pages(invocation.api, 'GET /operator/v1/usage/differences', {
    query: { accountName },
    timeoutMs: invocation.api.timeoutMs(STEP_SECONDS),
  });
  for await (const { checked, differences } of steps) {
    for (const difference of differences) printDifference(invocation, accountName, difference);
    totals.checked += checked;
    totals.differences += differences.length;
    progress.show(
      `${totals.checked} counters of ${totals.accounts + 1} accounts, ${totals.differences} differences`,
    );
  }
  totals.accounts++;
}

async function reconcile(account: string | undefined, _: object, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const totals: Totals = { accounts: 0, checked: 0, differences: 0 };
  const progress = startProgress(invocation);
  try {
    for await (const accountName of account === undefined ? listAccounts(invocation) : [account])
      await reconcileAccount(invocation, accountName, totals, progress);
  } finally {
    progress.stop();
  }
  const { accounts, checked, differences } = totals;
  printOutcome(
    invocation,
    totals,
    `${checked} counters of ${accounts} accounts, ${differences} differences.`,
  );
  if (differences > 0) throw new Ended(EXIT.refused);
}

export function addReconcile(program: Command): void {
  program
    .command('reconcile')
    .description(
      'Recomputes all counters from the usage ledger and prints those that differ; it changes nothing. ' +
        'The exit code is 0 if there is no difference, and 1 otherwise.',
    )
    .argument('[account]', 'only this account; default: all accounts')
    .addHelpText('after', '\nExample:\n  $ linekeeper reconcile 0000123456-00001')
    .action(reconcile);
}
