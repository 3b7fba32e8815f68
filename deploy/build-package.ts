import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from '../clients/console/build.ts';
import { bundle } from './bundle.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** Where a test installs it without npm, there; else where npm packs it from. */
const DIST = resolve(process.argv[2] ?? join(ROOT, 'dist'));
/** Beside the code at the same places as in a checkout: what reads them finds them by the same relative path. */
const BESIDE = ['migrations', 'openapi.json', 'asyncapi.json', 'examples.json', 'clients/console/dist'];
const RELATIVE_IMPORT = /(\bfrom\s+|\bimport\s+|\bimport\()'(\.{1,2}\/[^'\n]+)\.ts'/g;

/** Of what others import, by the compiler: what package.json exports, and all that this needs. */
function writeDeclarations(): void {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const args = ['-p', join(ROOT, 'deploy'), '--outDir', DIST];
  execFileSync(process.execPath, [compiler, ...args], { stdio: 'inherit' });
  for (const file of globSync('clients/**/*.d.ts', { cwd: DIST })) {
    const text = readFileSync(join(DIST, file), 'utf8');
    writeFileSync(join(DIST, file), text.replaceAll(RELATIVE_IMPORT, "$1'$2.js'"));
  }
}

/** Node runs no TypeScript below node_modules: an installed package needs JavaScript. */
async function buildPackage(): Promise<number> {
  await buildIfStale();
  rmSync(DIST, { recursive: true, force: true });
  const files = await bundle(ROOT, DIST);
  writeDeclarations();
  for (const path of [...BESIDE, ...globSync('clients/simulator/scenarios/*.yaml', { cwd: ROOT })])
    cpSync(join(ROOT, path), join(DIST, path), { recursive: true });
  const { name, version, type } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  writeFileSync(join(DIST, 'package.json'), `${JSON.stringify({ name, version, type }, null, 2)}\n`);
  return files;
}

process.stderr.write(`built ${await buildPackage()} files into ${DIST}\n`);
