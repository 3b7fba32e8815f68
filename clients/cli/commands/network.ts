import { Argument, type Command } from 'commander';
import { invocationOf } from '../invocation.ts';
import { printFields, printOutcome } from '../print.ts';
import { addElements } from './network-elements.ts';
import { addDoubtful, addFiles } from './network-feeds.ts';

const CONDITIONS = ['normal', 'refusing', 'unreachable'] as const;

export function addNetwork(program: Command): void {
  const network = program
    .command('network')
    .description(
      'Shows and checks the network behind the lines, and controls the simulated one of the sandbox.',
    );
  network
    .command('show', { isDefault: true })
    .description('Shows the condition of the simulated network.')
    .addHelpText('after', '\nExample:\n  $ linekeeper network')
    .action(async (_: object, command: Command) => {
      const invocation = invocationOf(command);
      printFields(invocation, await invocation.api.call('GET /operator/v1/network/simulation'));
    });
  network
    .command('set')
    .description(
      'Sets the condition of the whole simulated network; devices simulate changes a single device.',
    )
    .addArgument(new Argument('<condition>', 'the new condition').choices(CONDITIONS))
    .addHelpText('after', '\nExample:\n  $ linekeeper network set unreachable')
    .action(async (condition: (typeof CONDITIONS)[number], _: object, command: Command) => {
      const invocation = invocationOf(command);
      const answer = await invocation.api.call('PATCH /operator/v1/network/simulation', {
        body: { condition },
      });
      printOutcome(invocation, answer, `The simulated network is ${answer.condition}.`);
    });
  addElements(network);
  addFiles(network);
  addDoubtful(network);
}
