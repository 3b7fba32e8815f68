import { PassThrough } from 'node:stream';
import { buildProgram } from '../program.ts';

/** The program for these arguments, to inspect and not to run. Without arguments, it has all commands. */
export const build = (...args: string[]) =>
  buildProgram(args, {
    env: {},
    cwd: '/',
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    onInterrupt() {},
  });
