import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { argv, env, pid, stderr, stdout } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const HERE = dirname(fileURLToPath(import.meta.url));
const DIST = join(HERE, 'dist');
/** Written last: a folder without it is an unfinished build. */
const STAMP = 'built-from';
const MARKER = join(DIST, STAMP);
/** Compression does not shrink smaller files. */
const PACKED_FROM_BYTES = 1_000;

/** The inputs of the build. Includes the lockfile, because it selects the versions of libraries. */
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

/** An installation that only runs the service lacks the build tools. */
function hasBuilder(): boolean {
  try {
    return import.meta.resolve('vite') !== '';
  } catch {
    return false;
  }
}

/** Builds next to the old version and then replaces it, so that readers always find one of the two. */
async function build(stamp: string): Promise<void> {
  if (!hasBuilder()) throw new Error('the build tools are not installed; npm ci --include=dev installs them');
  const { build: bundle } = await import('vite');
  const fresh = `${DIST}.${pid}`;
  await bundle({ configFile: join(HERE, 'vite.config.ts'), logLevel: 'warn', build: { outDir: fresh } });
  pack(fresh);
  writeFileSync(join(fresh, STAMP), stamp);
  mkdirSync(HERE, { recursive: true });
  rmSync(DIST, { recursive: true, force: true });
  renameSync(fresh, DIST);
}

/** True if it built something. */
export async function buildIfStale(): Promise<boolean> {
  const stamp = stampOf();
  if (existsSync(MARKER) && readFileSync(MARKER, 'utf8') === stamp) return false;
  await build(stamp);
  return true;
}

/** Reports a failed build without stopping the start, because the service runs without its console. */
if (
  import.meta.url === pathToFileURL(argv[1] ?? '').href &&
  !/^(off|false|0|no)$/i.test(env['LINEKEEPER_CONSOLE'] ?? '')
) {
  try {
    if (await buildIfStale()) stdout.write('built the console\n');
  } catch (error) {
    const instead = existsSync(MARKER) ? 'the previous build is served' : '/ will be empty';
    const reason = error instanceof Error ? error.message : String(error);
    stderr.write(`linekeeper: the console could not be built, and ${instead}: ${reason}.\n`);
  }
}
