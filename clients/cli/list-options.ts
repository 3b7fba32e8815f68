import { type Command, InvalidArgumentError } from 'commander';

const LIMIT_DEFAULT = 100;

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('It must be a whole number of at least 1, such as 100.');
  return value;
}

/** Adds the options that limit a list. */
export const withListOptions = (command: Command): Command =>
  command
    .option('--limit <count>', 'maximum number of entries', wholeNumber, LIMIT_DEFAULT)
    .option('--all', 'list every entry');
