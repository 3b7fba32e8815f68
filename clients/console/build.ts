import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { argv, env, pid, stderr, stdout } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const HERE = dirname(fileURLToPath(import.meta.url));
const DIST = join(HERE, 'dist');
/** Written last: a folder without it is no finished build. */
const STAMP = 'built-from';
const MARKER = join(DIST, STAMP);
/** Smaller files do not get smaller. */
const PACKED_FROM_BYTES = 1_000;

/** What the built files follow from; another lockfile can mean other libraries. */
function stampOf(): string {
  const patterns = [
    'src/**/*',
    'map-data/*',
    'public/*',
    'index.html',
    '*.ts',
    '../sdk/*.ts',
    '../../package-lock.json',
  ];
  const sources = globSync(patterns, { cwd: HERE, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash('sha256');
  for (const file of sources) hash.update(relative(HERE, file)).update('\0').update(readFileSync(file));
  return hash.digest('hex');
}

function pack(folder: string): void {
  for (const name of globSync('**/*.{js,mjs,css,svg,json}', { cwd: folder })) {
    const path = join(folder, name);
    const bytes = readFileSync(path);
    if (bytes.length < PACKED_FROM_BYTES) continue;
    writeFileSync(`${path}.br`, brotliCompressSync(bytes));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

/** An installation that only runs the service has nothing to build a console with. */
function hasBuilder(): boolean {
  try {
    return import.meta.resolve('vite') !== '';
  } catch {
    return false;
  }
}

/** Built beside the old one and put in its place when it is whole: who reads it meanwhile finds one of the two. */
async function build(stamp: string): Promise<void> {
  if (!hasBuilder())
    throw new Error('what builds it is not installed here; npm ci --include=dev installs it');
  const { build: bundle } = await import('vite');
  const fresh = `${DIST}.${pid}`;
  await bundle({ configFile: join(HERE, 'vite.config.ts'), logLevel: 'warn', build: { outDir: fresh } });
  pack(fresh);
  writeFileSync(join(fresh, STAMP), stamp);
  mkdirSync(HERE, { recursive: true });
  rmSync(DIST, { recursive: true, force: true });
  renameSync(fresh, DIST);
}

/** True when there was something to do. */
export async function buildIfStale(): Promise<boolean> {
  const stamp = stampOf();
  if (existsSync(MARKER) && readFileSync(MARKER, 'utf8') === stamp) return false;
  await build(stamp);
  return true;
}

/** The service runs without its console too: what goes wrong here is told, and does not keep it from starting. */
if (
  import.meta.url === pathToFileURL(argv[1] ?? '').href &&
  !/^(off|false|0|no)$/i.test(env['LINEKEEPER_CONSOLE'] ?? '')
) {
  try {
    if (await buildIfStale()) stdout.write('built the console\n');
  } catch (error) {
    const instead = existsSync(MARKER) ? 'the one that was built before is served' : '/ will be empty';
    const reason = error instanceof Error ? error.message : String(error);
    stderr.write(`linekeeper: the console could not be built, and ${instead}: ${reason}.\n`);
  }
}
