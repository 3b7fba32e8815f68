import { Argument, type Command } from 'commander';
import { invocationOf } from '../invocation.ts';
import { printFields, printOutcome } from '../print.ts';

const CONDITIONS = ['normal', 'refusing', 'unreachable'] as const;

export function addNetwork(program: Command): void {
  const network = program
    .command('network')
    .description('Shows and sets how the simulated network of the sandbox is.');
  network
    .command('show', { isDefault: true })
    .description('Shows the condition of the network.')
    .addHelpText('after', '\nExample:\n  $ linekeeper network')
    .action(async (_: object, command: Command) => {
      const invocation = invocationOf(command);
      printFields(invocation, await invocation.api.call('GET /operator/v1/network/simulation'));
    });
  network
    .command('set')
    .description('Puts the whole network into a condition; single devices are told by devices simulate.')
    .addArgument(new Argument('<condition>', 'how it is from now on').choices(CONDITIONS))
    .addHelpText('after', '\nExample:\n  $ linekeeper network set unreachable')
    .action(async (condition: (typeof CONDITIONS)[number], _: object, command: Command) => {
      const invocation = invocationOf(command);
      const answer = await invocation.api.call('PATCH /operator/v1/network/simulation', {
        body: { condition },
      });
      printOutcome(invocation, answer, `The network is ${answer.condition}.`);
    });
}
