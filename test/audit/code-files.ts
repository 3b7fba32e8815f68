import { globSync } from 'node:fs';

/** The folders next to src that the service runs. Each is independent: it imports nothing from the others. */
export const BESIDE_SRC = ['demo', 'embedded-postgres'];

export const isTest = (file: string) => /\.test\.ts$|\/test\//.test(file);

/** A file's name in the rules: without `src/`, because almost all would have it. */
export const nameOf = (path: string) => path.replace(/^src\//, '');
export const pathOf = (name: string) => (BESIDE_SRC.includes(name.split('/')[0]!) ? name : `src/${name}`);

/** Every TypeScript file that the service may run, and its tests. */
export const sources = globSync(['src', ...BESIDE_SRC].map((root) => `${root}/**/*.ts`)).map((path) =>
  nameOf(path.replaceAll('\\', '/')),
);
/** The same without tests. */
export const code = sources.filter((name) => !isTest(name));
