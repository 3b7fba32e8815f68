import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type OutputAsset, type OutputChunk, type Plugin, rolldown } from 'rolldown';

/** What is run, and what others import; everything else is part of a chunk that these share. */
const ENTRIES = [
  'src/main',
  'src/app/backup-command',
  'src/app/shard-command',
  'clients/cli/main',
  'clients/simulator/main',
  'clients/simulator/scenarios/main',
  'clients/sdk/index',
  'clients/sdk/callbacks',
  'clients/testing/index',
];
/** Hundreds of small files: to find and read them takes longer than what they do. */
const BUNDLED_PACKAGE = /^typebox(\/|$)/;
const OF_A_PACKAGE = /^(?:node:|@?\w)/;
const BUNDLED_FROM = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const MODULE_URL = /MODULE_URL\("([^"]+)"\)/g;

/** A module that finds files relative to its own place goes on finding them from within a chunk. */
const keepModuleUrls = (root: string): Plugin => ({
  name: 'keep-module-urls',
  transform(code, id) {
    if (BUNDLED_FROM.test(id) || !code.includes('import.meta.url')) return null;
    const place = relative(root, id).replace(/\.ts$/, '.js');
    return { code: code.replaceAll('import.meta.url', `MODULE_URL("${place}")`), map: null };
  },
  renderChunk(code, { fileName }) {
    const urlOf = (_: string, place: string) =>
      `new URL("${relative(dirname(fileName), place)}", import.meta.url).href`;
    return { code: code.replaceAll(MODULE_URL, urlOf), map: null };
  },
});

/** Their notices go where their code goes. */
function copyLicences(root: string, dist: string, modules: readonly string[]): void {
  for (const name of new Set(modules.flatMap((id) => BUNDLED_FROM.exec(id)?.[1] ?? []))) {
    const [file] = globSync(join(root, 'node_modules', name, '{LICENSE,LICENCE,license}*'));
    if (file === undefined) throw new Error(`${name} has no licence that the package could carry`);
    cpSync(file, join(dist, 'licences', name));
  }
}

/** A stack trace needs the places; the sources themselves are not in the package. */
function leaveOutSources(dist: string): void {
  for (const file of globSync('**/*.js.map', { cwd: dist })) {
    const { sourcesContent, ...map } = JSON.parse(readFileSync(join(dist, file), 'utf8'));
    writeFileSync(join(dist, file), JSON.stringify(map));
  }
}

/** Names this code: what it has prepared once, another build prepares again. */
function writeBuildId(dist: string, output: readonly (OutputAsset | OutputChunk)[]): void {
  const hash = createHash('sha256');
  for (const file of output) if (file.type === 'chunk') hash.update(`${file.fileName}\n${file.code}\n`);
  writeFileSync(join(dist, 'build-id'), hash.digest('hex'));
}

/** Writes the code of the package: a program that loads a few files starts three times as fast as one that loads hundreds. */
export async function bundle(root: string, dist: string): Promise<number> {
  const missing = ENTRIES.filter((entry) => !existsSync(join(root, `${entry}.ts`)));
  if (missing.length > 0) throw new Error(`there is no ${missing.join(', ')}`);
  const bundled = await rolldown({
    cwd: root,
    platform: 'node',
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, `${entry}.ts`])),
    external: (id) => OF_A_PACKAGE.test(id) && !BUNDLED_PACKAGE.test(id),
    plugins: [keepModuleUrls(root)],
  });
  const { output } = await bundled.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    sourcemap: true,
  });
  copyLicences(
    root,
    dist,
    output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])),
  );
  leaveOutSources(dist);
  writeBuildId(dist, output);
  return output.filter(({ type }) => type === 'chunk').length;
}
