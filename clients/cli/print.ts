import { plainText } from './plain-text.ts';
import type { Run } from './run.ts';
import { textOf } from './table.ts';

export const print = ({ around }: Run, line: string): void => void around.stdout.write(`${line}\n`);
/** Prints a remark to stderr, which other programs do not parse. */
export const remark = ({ around }: Run, line: string): void => void around.stderr.write(`${line}\n`);

/** Prints the answer as JSON for programs, or a sentence about it for people. */
export function printOutcome(run: Run, answer: unknown, sentence: string): void {
  print(run, run.json ? JSON.stringify(answer) : plainText(sentence));
}

/** Prints the answer as JSON for programs, or some lines about it for people. */
export function printLines(run: Run, answer: unknown, lines: readonly string[]): void {
  if (run.json) print(run, JSON.stringify(answer));
  else if (lines.length === 0) remark(run, 'Nothing found.');
  else print(run, lines.map(plainText).join('\n'));
}

/** Prints one object with all its fields. */
export function printFields(run: Run, fields: object): void {
  const known = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(0, ...known.map(([name]) => name.length));
  const lines = known.map(([name, value]) => `${name.padEnd(width)}  ${textOf(value)}`);
  print(run, run.json ? JSON.stringify(fields) : lines.join('\n'));
}
