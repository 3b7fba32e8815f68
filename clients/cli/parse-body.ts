import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { wrongUsage } from './failure.ts';
import type { Surroundings } from './surroundings.ts';

/** Parses JSON from the argument, from a file (@file) or from standard input (@-). */
export async function parseBody({ cwd, stdin }: Surroundings, given: string): Promise<unknown> {
  const [from, what] = given.startsWith('@') ? [given.slice(1), given] : [undefined, 'The body'];
  const read = async () => (from === '-' ? text(stdin) : readFile(resolve(cwd, from!), 'utf8'));
  const json =
    from === undefined
      ? given
      : await read().catch(({ message }: Error) => {
          throw wrongUsage(`Cannot read ${from}: ${message}`);
        });
  try {
    return JSON.parse(json);
  } catch (error) {
    throw wrongUsage(`${what} is not valid JSON: ${(error as Error).message}`);
  }
}
