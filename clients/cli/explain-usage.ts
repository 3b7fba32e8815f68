import type { Command, CommanderError } from 'commander';
import { type Failure, wrongUsage } from './failure.ts';

interface Found {
  readonly command: Command;
  /** The first word after it that is not an option. */
  readonly word: string | undefined;
}

/** The deepest command that the words name. */
export function findCommand(program: Command, args: readonly string[]): Found {
  let command = program;
  for (const [i, word] of args.entries()) {
    if (word.startsWith('-') || isValue(command, args[i - 1])) continue;
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) return { command, word };
    command = next;
  }
  return { command, word: undefined };
}

/** The value of an option is not a command. */
const isValue = (command: Command, before: string | undefined): boolean =>
  [...command.options, ...(command.parent?.options ?? [])].some(
    ({ long, short, required }) => required && before !== undefined && (long === before || short === before),
  );

/** The edit distance in letters inserted, removed or changed. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++)
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === to[j] ? 0 : 1)));
    row = next;
  }
  return row[to.length]!;
}

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

function unknownCommand(word: string, command: Command): Failure {
  const names = command.commands.map((one) => one.name());
  const near = names.filter((name) => distance(word, name) <= Math.max(1, Math.floor(word.length * 0.4)));
  const guess = near.length > 0 ? ` (Did you mean ${near.join(' or ')}?)` : '';
  return wrongUsage(`unknown command '${word}'${guess}; ${pathOf(command)} --help lists them`);
}

/** Takes the example from the command's help. */
function exampleOf(command: Command): string | undefined {
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  return /^Examples?:\n {2}\$ (.+(?:\\\n.+)*)/m.exec(help)?.[1];
}

const OF_ARGUMENT = /^command-argument value '([\s\S]*)' is invalid for argument '(.*?)'\. /;
const OF_OPTION = /^option '(\S+).*?' argument '([\s\S]*)' is invalid\. /;

/** One sentence with the wrong value and the expected one, and an example of the command. */
export function describeUsageError(error: CommanderError, { command, word }: Found): Failure {
  if (error.code === 'commander.help')
    return wrongUsage(`Give a command; ${pathOf(command)} --help lists them`);
  const isGroup = command.commands.length > 0;
  if (word !== undefined && isGroup && /unknownCommand|excessArguments/.test(error.code))
    return unknownCommand(word, command);
  const sentence = error.message
    .replace(/^error: /, '')
    .replaceAll('\n', ' ')
    .replace(OF_ARGUMENT, "'$1' cannot be the $2. ")
    .replace(OF_OPTION, "'$2' cannot be the value of $1. ");
  return wrongUsage(sentence, isGroup ? undefined : exampleOf(command));
}
