import { Argument, type Command } from 'commander';
import { placesOf, SHELLS } from '../completion.ts';
import { surroundingsOf } from '../surroundings.ts';

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('Prints a script for completing commands and options in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SHELLS)))
    .addHelpText(
      'after',
      '\nExamples:\n  $ source <(linekeeper completion bash)' +
        '\n  $ linekeeper completion zsh > ~/.zfunc/_linekeeper' +
        '\n  $ linekeeper completion fish > ~/.config/fish/completions/linekeeper.fish',
    )
    .action((shell: keyof typeof SHELLS) => {
      surroundingsOf(program).stdout.write(SHELLS[shell](placesOf(program)));
    });
}
