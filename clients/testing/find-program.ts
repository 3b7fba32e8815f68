import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** In a checkout the sources are run, in a package what was built of them, which lies one folder deeper. */
const EXTENSION = extname(import.meta.url);
const IS_CHECKOUT = EXTENSION === '.ts';
/** Sources need a newer Node; `engines` of package.json has the one of the package. */
const NODE_MIN = IS_CHECKOUT ? 24 : 22;
const MAIN = fileURLToPath(new URL(`../../src/main${EXTENSION}`, import.meta.url));
/** The one of the command line: the service is compiled once for both. */
const CACHE = fileURLToPath(
  new URL(`${IS_CHECKOUT ? '../../' : '../../../'}node_modules/.cache/linekeeper-cli`, import.meta.url),
);
/**
 * As `linekeeper start` has them, but that new objects have their whole room from the beginning: a sandbox that lives for seconds should
 * not spend them on making room. Node 22 has SQLite, which locks a data folder, as an experiment, and would say so.
 */
const FLAGS = [
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  '--heap-growing-percent=50',
  '--disable-warning=ExperimentalWarning',
];

/** Another program that runs JavaScript may call itself Node. */
const isNewNode = ({ bun, deno, node, electron }: NodeJS.ProcessVersions): boolean =>
  [bun, deno, electron].every((other) => other === undefined) && Number.parseInt(node, 10) >= NODE_MIN;

/** This very Node where it is one and new enough, else one that npm has installed beside. */
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
  /** Where compiled code is kept: a start would spend most of its time on compiling. */
  readonly cache: string;
}

export const findProgram = (): FoundProgram => ({ file: findNode(), words: [...FLAGS, MAIN], cache: CACHE });
