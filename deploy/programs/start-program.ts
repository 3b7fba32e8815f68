import { readFileSync } from 'node:fs';
import { createRequire, getCompileCacheDir } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { openSavedCode, type SavedCode } from './saved-code.ts';

/** Changes with the format of the file. */
const NAME = 'linekeeper-1';

/** Loads the files of a program, and leaves packages and built-in modules to Node. */
function createLoader(main: string, code: SavedCode): (file: string) => unknown {
  const nodeRequire = createRequire(main);
  const modules = new Map<string, { exports: unknown }>();
  return function load(file) {
    const known = modules.get(file);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const folder = dirname(file);
    const require = (id: string) => (id.startsWith('.') ? load(resolve(folder, id)) : nodeRequire(id));
    code.compile(file).runInThisContext()(module.exports, require, module, file, folder);
    return module.exports;
  };
}

/** One file for each build of a program: its main file names all others, whose names contain their checksums. */
const fileFor = (main: string, folder: string): string =>
  join(folder, `${NAME}-${basename(main, '.cjs')}-${crc32(readFileSync(main)).toString(16)}`);

/**
 * Runs a program of the package, with compiled code that earlier runs saved in the folder of Node's cache. Without such a
 * folder Node loads it, and also if source maps are wanted, which Node uses only for files that it loads itself.
 */
export function startProgram(program: URL): void {
  const main = fileURLToPath(program);
  const folder = getCompileCacheDir();
  if (folder === undefined || process.sourceMapsEnabled) {
    createRequire(main)(main);
    return;
  }
  const code = openSavedCode(fileFor(main, folder), dirname(main));
  process.once('exit', () => code.save());
  createLoader(main, code)(main);
}
