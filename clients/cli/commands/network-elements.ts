import { Argument, type Command } from 'commander';
import { invocationOf } from '../invocation.ts';
import { withListOptions } from '../list-options.ts';
import { printLines, printOutcome } from '../print.ts';
import { type ListOptions, printList, type Row } from '../print-list.ts';
import type { Column } from '../table.ts';
import { addCheck } from './network-check.ts';

const LIST = 'GET /operator/v1/network/differences';
const COLUMNS: readonly Column<Row<typeof LIST>>[] = [
  ['IMSI', ({ imsi }) => imsi],
  ['ACCOUNT', ({ accountName }) => accountName],
  ['ELEMENT', ({ element }) => element],
  ['HERE', ({ here }) => here],
  ['THERE', ({ there }) => there],
  ['SINCE', ({ since }) => since],
];

interface AccountOption {
  readonly account?: string;
}

async function showElements(_: object, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const answer = await invocation.api.call('GET /operator/v1/network');
  const lines = answer.elements.map(
    ({ name, kind, state, backlog, differences, lastError }) =>
      `${name} (${kind}): ${state}, ${backlog} orders waiting, ${differences} differences${lastError === null ? '' : `, last error: ${lastError}`}`,
  );
  const feeds = answer.feeds.map(
    ({ name, kind, state, problem, backlog, ratePerSecond, rejected, busyWith, lastError }) =>
      `${name} (feed of ${kind}): ${state}${problem === null ? '' : ` (${problem})`}, ${Math.round(ratePerSecond)} records a second, ${backlog} waiting, ${rejected} rejected` +
      `${busyWith === null ? '' : `, busy with ${busyWith}`}${lastError === null ? '' : `, last error: ${lastError}`}`,
  );
  const sources = answer.positions.map(
    ({ name, kind, state, lastError }) =>
      `${name} (positions by ${kind}): ${state}${lastError === null ? '' : `, last error: ${lastError}`}`,
  );
  const all = [...lines, ...feeds, ...sources];
  printLines(
    invocation,
    answer,
    all.length === 0 ? ['There are no network elements, feeds or position sources.'] : all,
  );
}

async function confirmOrder(
  orderId: string,
  outcome: 'done' | 'failed',
  { reason }: { readonly reason?: string },
  command: Command,
): Promise<void> {
  const invocation = invocationOf(command);
  const answer = await invocation.api.call('POST /operator/v1/network/orders/{orderId}', {
    path: { orderId },
    body: { outcome, ...(reason !== undefined && { reason }) },
  });
  printOutcome(invocation, answer, `Order ${orderId} is ${answer.state}.`);
}

/** The network behind the lines. */
export function addElements(network: Command): void {
  network
    .command('elements')
    .description('Shows the network elements behind the lines, the feeds and the sources of positions.')
    .addHelpText('after', '\nExample:\n  $ linekeeper network elements')
    .action(showElements);
  for (const [verb, sentence] of [
    ['pause', 'is paused'],
    ['resume', 'is resumed'],
  ] as const)
    network
      .command(verb)
      .description(
        verb === 'pause'
          ? 'Pauses the orders to an element, or the processing of a feed.'
          : 'Resumes the orders to an element, or the processing of a feed.',
      )
      .argument('<element>', 'name of the element or feed')
      .addHelpText('after', `\nExample:\n  $ linekeeper network ${verb} hlr-1`)
      .action(async (element: string, _: object, command: Command) => {
        const invocation = invocationOf(command);
        const route = `POST /operator/v1/network/{element}/${verb}` as const;
        const answer = await invocation.api.call(route, { path: { element } });
        printOutcome(invocation, answer, `${element} ${sentence}.`);
      });
  addCheck(network);
  withListOptions(network.command('differences'))
    .description('Lists lines whose state differs between an element and the service.')
    .option('--account <name>', 'only lines of this account')
    .addHelpText('after', '\nExample:\n  $ linekeeper network differences')
    .action((options: ListOptions & AccountOption, command: Command) =>
      printList(
        invocationOf(command),
        { route: LIST, query: { accountName: options.account }, columns: COLUMNS },
        options,
      ),
    );
  network
    .command('confirm')
    .description('Reports the outcome of an order that an element confirms later.')
    .argument('<orderId>', 'the id of the order')
    .addArgument(new Argument('<outcome>', 'the outcome').choices(['done', 'failed']))
    .option('--reason <text>', 'reason of the failure')
    .addHelpText(
      'after',
      '\nExample:\n  $ linekeeper network confirm 7a6d0f5e-9f0a-4c55-8f0e-2f60c1f5a001 done',
    )
    .action(confirmOrder);
}
