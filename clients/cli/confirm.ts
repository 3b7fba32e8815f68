import { createInterface } from 'node:readline/promises';
import { Failure, wrongUsage } from './failure.ts';
import { plainText } from './plain-text.ts';

export interface YesOption {
  readonly yes?: boolean;
}

/** What cannot be undone needs a person's yes, or --yes from a script. */
export async function confirm(question: string, { yes = false }: YesOption): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw wrongUsage('This cannot be undone: give --yes where nobody can be asked');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // Control-D closes the terminal without an answer.
    const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    terminal.once('SIGINT', () => process.exit(130));
    const answer = await Promise.race([terminal.question(`${plainText(question)} [y/N] `), closed]);
    if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('usage', 'Nothing was changed');
  } finally {
    terminal.close();
  }
}
