import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Ended, EXIT_INTERRUPTED, wrongUsage } from './failure.ts';
import type { Surroundings } from './surroundings.ts';

export const canAsk = ({ stdin, stderr }: Surroundings): boolean => Boolean(stdin.isTTY && stderr.isTTY);

/** Reads the answer of the user. Control-D closes the terminal without an answer, Control-C ends the command. */
export function answerOf(terminal: Interface, question: string): Promise<string> {
  const ended = new Promise<string>((resolve, reject) => {
    terminal.once('close', () => resolve(''));
    terminal.once('SIGINT', () => reject(new Ended(EXIT_INTERRUPTED)));
  });
  return Promise.race([terminal.question(question), ended]);
}

/** Asks the user for a line, optionally hidden while typed. */
export async function ask(
  around: Surroundings,
  question: string,
  { hidden = false }: { hidden?: boolean } = {},
): Promise<string> {
  const { stdin, stderr } = around;
  if (!canAsk(around))
    throw wrongUsage(
      `${question} is missing, and there is no terminal to ask on; --help lists the options and variables`,
    );
  stderr.write(`${question}: `);
  const nothing = new Writable({ write: (_, __, done) => done() });
  const terminal = createInterface({ input: stdin, output: hidden ? nothing : stderr, terminal: true });
  try {
    return (await answerOf(terminal, '')).trim();
  } finally {
    terminal.close();
    if (hidden) stderr.write('\n');
  }
}
