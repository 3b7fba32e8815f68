import { globSync } from 'node:fs';

/** The folders beside src that the service runs. Each stands alone: it imports nothing of the others. */
export const BESIDE_SRC = ['demo', 'embedded-postgres'];

export const isTest = (file: string) => /\.test\.ts$|\/test\//.test(file);

/** A file's name in the rules: without `src/`, which almost all would have. */
export const nameOf = (path: string) => path.replace(/^src\//, '');
export const pathOf = (name: string) => (BESIDE_SRC.includes(name.split('/')[0]!) ? name : `src/${name}`);

/** Every TypeScript file that the service may run, and its tests. */
export const sources = globSync(['src', ...BESIDE_SRC].map((root) => `${root}/**/*.ts`)).map((path) =>
  nameOf(path.replaceAll('\\', '/')),
);
/** The same without tests. */
export const code = sources.filter((name) => !isTest(name));
