import type { Readable, Writable } from 'node:stream';
import { Command } from 'commander';

export type Input = Readable & { readonly isTTY?: boolean };
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** What a run of the program is given: by a process, or by whoever runs it within a program of their own. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where relative paths begin. */
  readonly cwd: string;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** A command that runs until it is interrupted says here how it ends; it is told the exit code. */
  onInterrupt(end: (exitCode: number) => void): void;
  /** Goes on as another program of Node, in the same process where that can be; absent within a program. */
  readonly become?: (words: readonly string[], env: Surroundings['env']) => Promise<never>;
  /** Runs any program with the same streams, passes signals on to it and answers its exit code; absent within a program. */
  readonly runCommand?: (words: readonly string[], env: Surroundings['env']) => Promise<number>;
}

/** The command above all others, which knows what is around it. */
export class Program extends Command {
  readonly around: Surroundings;

  constructor(around: Surroundings) {
    super('linekeeper');
    this.around = around;
  }
}

export function surroundingsOf(command: Command): Surroundings {
  if (command instanceof Program) return command.around;
  if (command.parent === null) throw new Error(`${command.name()} belongs to no program`);
  return surroundingsOf(command.parent);
}
