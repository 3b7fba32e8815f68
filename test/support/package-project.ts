import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

export interface Project {
  readonly folder: string;
  remove(): void;
}

/** A folder with this checkout installed as npm packs it, without a registry. */
export async function makeProject(): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'linekeeper-project-'));
  const installed = join(folder, 'node_modules/linekeeper');
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  mkdirSync(installed);
  for (const name of ['package.json', 'bin']) cpSync(name, join(installed, name), { recursive: true });
  await promisify(execFile)(process.execPath, ['deploy/build-package.ts', join(installed, 'dist')]);
  symlinkSync(resolve('node_modules'), join(installed, 'node_modules'));
  symlinkSync('../linekeeper/bin/linekeeper.js', join(folder, 'node_modules/.bin/linekeeper'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
