import type { Command } from 'commander';
import { invocationOf } from '../invocation.ts';
import { printFields, printOutcome } from '../print.ts';

const VERBS = [
  ['pause', 'paused'],
  ['resume', 'resumed'],
] as const;

export function addActions(program: Command): void {
  const actions = program
    .command('actions')
    .description('Pauses and resumes the actions of triggers on devices.');
  actions
    .command('show', { isDefault: true })
    .description('Shows whether trigger actions are paused.')
    .addHelpText('after', '\nExample:\n  $ linekeeper actions')
    .action(async (_: object, command: Command) => {
      const invocation = invocationOf(command);
      printFields(invocation, await invocation.api.call('GET /operator/v1/actions'));
    });
  for (const [verb, done] of VERBS) {
    actions
      .command(verb)
      .description(
        verb === 'pause'
          ? 'Pauses actions: triggers still notify, but suspend nothing and change no plans.'
          : 'Resumes the actions of triggers.',
      )
      .addHelpText('after', `\nExample:\n  $ linekeeper actions ${verb}`)
      .action(async (_: object, command: Command) => {
        const invocation = invocationOf(command);
        const answer = await invocation.api.call(`POST /operator/v1/actions/${verb}`);
        printOutcome(invocation, answer, `Trigger actions are ${done}.`);
      });
  }
}
