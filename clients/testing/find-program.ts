import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A checkout runs the sources, a package the built files, which are one folder deeper. */
const EXTENSION = extname(import.meta.url);
const IS_CHECKOUT = EXTENSION === '.ts';
/** Sources need a newer Node; `engines` in package.json has the version for the package. */
const NODE_MIN = IS_CHECKOUT ? 24 : 22;
const MAIN = fileURLToPath(new URL(`../../src/main${EXTENSION}`, import.meta.url));
/** The cache of the command line, so that both share the compiled service. */
const CACHE = fileURLToPath(
  new URL(`${IS_CHECKOUT ? '../../' : '../../../'}node_modules/.cache/linekeeper-cli`, import.meta.url),
);
/**
 * The flags of `linekeeper start`, except that the young generation is twice as large and has that size from the
 * start: a short-lived sandbox should spend no time growing and collecting it. SQLite, which locks a data folder,
 * is experimental in Node 22, which would print a warning.
 */
const FLAGS = [
  '--min-semi-space-size=32',
  '--max-semi-space-size=32',
  '--disable-warning=ExperimentalWarning',
];

/** Other JavaScript runtimes may identify as Node. */
const isNewNode = ({ bun, deno, node, electron }: NodeJS.ProcessVersions): boolean =>
  [bun, deno, electron].every((other) => other === undefined) && Number.parseInt(node, 10) >= NODE_MIN;

/** The running Node if it is new enough, else one that npm has installed. */
function findNode(): string {
  if (isNewNode(process.versions)) return process.execPath;
  const { resolve } = createRequire(import.meta.url);
  try {
    return resolve(process.platform === 'win32' ? 'node/bin/node.exe' : 'node/bin/node');
  } catch {
    throw new Error(
      `The sandbox needs Node ${NODE_MIN} or newer, and this is not: use it, or install the npm package "node".`,
    );
  }
}

export interface FoundProgram {
  readonly file: string;
  readonly words: readonly string[];
  /** Cache of compiled code, because compiling would take most of the start. */
  readonly cache: string;
}

export const findProgram = (): FoundProgram => ({ file: findNode(), words: [...FLAGS, MAIN], cache: CACHE });
