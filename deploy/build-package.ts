import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from '../clients/console/build.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DIST = join(ROOT, 'dist');
const CODE = ['{src,demo,embedded-postgres}/**/*.ts', 'clients/{cli,sdk,simulator}/**/*.ts'];
const NOT_SHIPPED = /\.test\.ts$|\/(test|generate)\//;
/** Beside the code at the same places as in a checkout: what reads them finds them by the same relative path. */
const BESIDE = ['migrations', 'asyncapi.json', 'examples.json', 'clients/console/dist'];
const RELATIVE_IMPORT = /(\bfrom\s+|\bimport\s+|\bimport\()'(\.{1,2}\/[^'\n]+)\.ts'/g;

/** Types become blanks, so that lines and columns of a stack trace are those of the source. */
const asJavaScript = (source: string) =>
  stripTypeScriptTypes(source).replaceAll(RELATIVE_IMPORT, "$1'$2.js'");

/** Node runs no TypeScript below node_modules: an installed package needs JavaScript. */
async function buildPackage(): Promise<number> {
  await buildIfStale();
  rmSync(DIST, { recursive: true, force: true });
  const files = globSync(CODE, { cwd: ROOT }).filter((file) => !NOT_SHIPPED.test(file));
  for (const file of files) {
    const target = join(DIST, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, asJavaScript(readFileSync(join(ROOT, file), 'utf8')));
  }
  for (const path of BESIDE) cpSync(join(ROOT, path), join(DIST, path), { recursive: true });
  const { name, version, type } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  writeFileSync(join(DIST, 'package.json'), `${JSON.stringify({ name, version, type }, null, 2)}\n`);
  return files.length;
}

process.stderr.write(`built ${await buildPackage()} files into dist\n`);
