import { PassThrough } from 'node:stream';
import { buildProgram } from '../program.ts';

/** The program for these arguments, to be looked at and not run; without any, all of it. */
export const build = (...args: string[]) =>
  buildProgram(args, {
    env: {},
    cwd: '/',
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    onInterrupt() {},
  });
