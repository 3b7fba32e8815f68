import type { Readable, Writable } from 'node:stream';
import { Command } from 'commander';

export type Input = Readable & { readonly isTTY?: boolean };
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The environment of a run, from a process or from a program that embeds it. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The base of relative paths. */
  readonly cwd: string;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Registers how a command that runs until interrupted ends; the handler gets the exit code. */
  onInterrupt(end: (exitCode: number) => void): void;
  /** Continues as another Node program, in the same process if possible; absent when embedded. */
  readonly become?: (words: readonly string[], env: Surroundings['env']) => Promise<never>;
  /** Runs any program with the same streams, forwards signals and returns its exit code; absent when embedded. */
  readonly runCommand?: (words: readonly string[], env: Surroundings['env']) => Promise<number>;
}

/** The root command, which has the surroundings. */
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
