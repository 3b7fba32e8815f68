import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { wrongUsage } from './failure.ts';

/** A line from a person, shown or not while it is typed. */
export async function ask(question: string, { hidden = false }: { hidden?: boolean } = {}): Promise<string> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw wrongUsage(`${question} is needed, and nobody can be asked; --help lists options and variables`);
  process.stderr.write(`${question}: `);
  const nothing = new Writable({ write: (_, __, done) => done() });
  const terminal = createInterface({
    input: process.stdin,
    output: hidden ? nothing : process.stderr,
    terminal: true,
  });
  try {
    terminal.once('SIGINT', () => process.exit(130));
    // Control-D closes the terminal without an answer.
    const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    return (await Promise.race([terminal.question(''), closed])).trim();
  } finally {
    terminal.close();
    if (hidden) process.stderr.write('\n');
  }
}
