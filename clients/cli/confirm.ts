import { createInterface } from 'node:readline/promises';
import { answerOf, canAsk } from './ask.ts';
import { Failure, wrongUsage } from './failure.ts';
import { plainText } from './plain-text.ts';
import type { Run } from './run.ts';

export interface YesOption {
  readonly yes?: boolean;
}

/** Irreversible actions need a yes at the terminal, or --yes in a script. */
export async function confirm({ around }: Run, question: string, { yes = false }: YesOption): Promise<void> {
  if (yes) return;
  if (!canAsk(around)) throw wrongUsage('This cannot be undone. Without a terminal, confirm it with --yes');
  const terminal = createInterface({ input: around.stdin, output: around.stderr });
  try {
    const answer = await answerOf(terminal, `${plainText(question)} [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('usage', 'Nothing was changed');
  } finally {
    terminal.close();
  }
}
