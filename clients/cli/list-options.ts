import { type Command, InvalidArgumentError } from 'commander';

const LIMIT_DEFAULT = 100;

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('It is a whole number from 1.');
  return value;
}

/** Lists are short unless asked for more. */
export const withListOptions = (command: Command): Command =>
  command
    .option('--limit <count>', 'entries at most', wholeNumber, LIMIT_DEFAULT)
    .option('--all', 'every entry, however many');
