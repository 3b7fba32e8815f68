import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';
import { code, isTest, nameOf, pathOf } from './code-files.ts';

const DECLARED =
  /^export (?:declare )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
/** `import { a, b as c } from '…'`, `export { a } from '…'`, `import * as x from '…'`, `export * from '…'`. */
const TAKEN =
  /^(?:import|export)\s+(?:type\s+)?(?:(\w+)\s*,?\s*)?(?:\{([^}]*)\}|\*(?:\s+as\s+\w+)?)?\s*from\s+'(\.[^']+)'/gm;
const LOADED = /\bimport\('(\.[^']+)'\)/g;

/** The names in a list between braces, by the first or last name of each `a as b`. */
const namesIn = (list: string | undefined, which: 0 | -1): string[] =>
  (list ?? '')
    .split(',')
    .map((each) => each.trim().replace(/^type\s+/, ''))
    .filter((each) => each !== '')
    .map((each) => each.split(/\s+as\s+/).at(which)!);

interface Use {
  readonly by: string;
  /** Undefined for the whole file. */
  readonly name: string | undefined;
}

function usesByFile(): Map<string, Use[]> {
  const uses = new Map<string, Use[]>();
  const pattern = '{src,demo,embedded-postgres,clients,test,bench,deploy}/**/*.{ts,tsx}';
  for (const path of globSync(pattern, { exclude: ['**/node_modules/**', '**/dist/**'] })) {
    const text = readFileSync(path, 'utf8');
    const add = (from: string, names: readonly (string | undefined)[]) => {
      const file = nameOf(normalize(join(dirname(path), from)));
      uses.set(file, [...(uses.get(file) ?? []), ...names.map((name) => ({ by: nameOf(path), name }))]);
    };
    for (const [, , list, from] of text.matchAll(TAKEN))
      add(from!, list === undefined ? [undefined] : namesIn(list, 0));
    for (const [, from] of text.matchAll(LOADED)) add(from!, [undefined]);
  }
  return uses;
}

function exportsOf(file: string): string[] {
  const text = readFileSync(pathOf(file), 'utf8');
  const passedOn = [...text.matchAll(TAKEN)].filter(([all]) => all.startsWith('export'));
  return [
    ...[...text.matchAll(DECLARED)].map(([, name]) => name!),
    ...passedOn.flatMap(([, , list]) => namesIn(list, -1)),
  ];
}

describe('exports', () => {
  it('have a reader: every name that a file exports is imported by another', () => {
    const uses = usesByFile();
    const unused = code.flatMap((file) =>
      exportsOf(file)
        .filter((name) => !uses.get(file)?.some((use) => use.name === undefined || use.name === name))
        .map((name) => `${file}: ${name}`),
    );
    assert.ok(uses.size > 500);
    assert.deepEqual(unused, []);
  });

  it("in a feature's index are used outside tests: tests import the file itself", () => {
    const uses = usesByFile();
    const forTests = code
      .filter((file) => /^features\/[^/]+\/index\.ts$/.test(file))
      .flatMap((file) =>
        exportsOf(file)
          .filter((name) =>
            (uses.get(file) ?? [])
              .filter((use) => use.name === undefined || use.name === name)
              .every(({ by }) => isTest(by) || /^(test|bench)\//.test(by)),
          )
          .map((name) => `${file}: ${name}`),
      );
    assert.deepEqual(forTests, []);
  });
});
