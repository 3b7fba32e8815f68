import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const MAPPING = {
  format: 'csv',
  columns: {
    device: { column: 'IMSI', kind: 'imsi' },
    at: { column: 'START' },
    bytes: { column: 'BYTES' },
  },
};

/** Writes a network file that names folders next to it; returns its path. */
export function makeSpools(root: string, names: readonly string[]): string {
  const network = join(root, 'network.json');
  for (const name of names) mkdirSync(join(root, name));
  writeFileSync(join(root, 'mapping.json'), JSON.stringify(MAPPING));
  const files = names.map((name) => ({ name, folder: name, mapping: 'mapping.json' }));
  writeFileSync(network, JSON.stringify({ feeds: { files } }));
  return network;
}

/** Puts a complete file there, with a date some time ago. */
export function putFile(folder: string, name: string, content: string): void {
  const part = join(folder, `${name}.part`);
  writeFileSync(part, content);
  const old = Date.now() / 1_000 - 3_600;
  utimesSync(part, old, old);
  renameSync(part, join(folder, name));
}

export const namesIn = (...path: string[]): string[] =>
  existsSync(join(...path)) ? readdirSync(join(...path)).toSorted() : [];

export const textOf = (...path: string[]): string => readFileSync(join(...path), 'utf8');
