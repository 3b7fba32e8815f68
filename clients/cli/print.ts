import type { Invocation } from './invocation.ts';
import { plainText } from './plain-text.ts';
import { textOf } from './table.ts';

type Asked = Pick<Invocation, 'json'>;

export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** The answer itself for a machine, a sentence about it for a person. */
export function printOutcome({ json }: Asked, answer: unknown, sentence: string): void {
  print(json ? JSON.stringify(answer) : plainText(sentence));
}

/** The answer itself for a machine, some lines about it for a person. */
export function printLines({ json }: Asked, answer: unknown, lines: readonly string[]): void {
  if (json) print(JSON.stringify(answer));
  else if (lines.length === 0) process.stderr.write('Nothing found.\n');
  else print(lines.map(plainText).join('\n'));
}

/** One thing with all its fields. */
export function printFields({ json }: Asked, fields: object): void {
  const known = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(0, ...known.map(([name]) => name.length));
  const lines = known.map(([name, value]) => `${name.padEnd(width)}  ${textOf(value)}`);
  print(json ? JSON.stringify(fields) : lines.join('\n'));
}
