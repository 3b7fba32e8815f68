import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { settingNames } from '../../src/platform/config/settings.ts';
import { OPERATOR_SCOPES } from '../../src/platform/http/access.ts';
import { literally } from '../conformance/row.ts';
import { asPattern, textsOf } from './test-names.ts';

const PAGE = 'docs/interface-notes.md';
const BETWEEN = '; ';
/** `bench/results` is made by running what the pages tell about. */
const PATH = /`((?:src|test|clients|docs|deploy|bench(?!\/results)|migrations)\/[\w./-]+)`/g;

interface Reference {
  readonly line: number;
  readonly file: string;
  /** What stands behind the file: names of its tests, or of what else is in it. */
  readonly names: string;
}

/** Cells of "Pinned by" read `` `file`: name; name; `file`, `file`: name ``. */
const FILES = /((?:`[\w./-]+`, )*`[\w./-]+`)(?:: ([^`]*?))?(?:; (?=`)|$)/gy;

function referencesIn(cell: string, line: number): readonly Reference[] | undefined {
  const found = [...cell.matchAll(FILES)];
  if (found.map(([all]) => all).join('') !== cell) return undefined;
  return found.flatMap(([, files, names = '']) =>
    files!.split(', ').map((file) => ({ line, file: file.slice(1, -1), names })),
  );
}

const lastCell = (row: string): string =>
  row
    .split(/(?<!\\)\|/)
    .at(-2)
    ?.trim() ?? '';
const cells = readFileSync(PAGE, 'utf8')
  .split('\n')
  .map((row, index) => ({ line: index + 1, cell: lastCell(row) }))
  .filter(({ cell }) => cell !== '' && cell !== 'Pinned by' && !/^-+$/.test(cell));
const references = cells.flatMap(({ line, cell }) => referencesIn(cell, line) ?? []);

const remembered = <T>(make: (file: string) => T) => {
  const known = new Map<string, T>();
  return (file: string): T => {
    const value = known.get(file) ?? make(file);
    known.set(file, value);
    return value;
  };
};
const sourceOf = remembered((file) => readFileSync(file, 'utf8').replaceAll("\\'", "'"));
const textsIn = remembered(textsOf);

const LEFT_OUT = /\s*…,?\s*/;
/** Of a case that is told in words, the words are in the file; one word, such as <what>, stands for all cases. */
const isCase = (file: string, text: string): boolean =>
  !text.includes(' ') || text.split(LEFT_OUT).every((part) => sourceOf(file).includes(part));
const casesIn = (name: string): string[] => [...name.matchAll(/<([^>]+)>/g)].map(([, text]) => text!);

/** `…` stands for what was left out, and angle brackets for the cases of a test. */
const abbreviated = (name: string): RegExp =>
  new RegExp(
    `^${name
      .replaceAll(/<[^>]+>(, <[^>]+>)*/g, '…')
      .split(LEFT_OUT)
      .map(literally)
      .join('.*')}$`,
    's',
  );
/** A text that is nothing but what is put into it would be every name. */
const TEMPLATE = /[a-z]{3}[^{}]*\$\{|\}[^{}]*[a-z]{3}/;
function isPutTogether(file: string, template: string, name: string): boolean {
  const [, ...put] = (TEMPLATE.test(template) && asPattern(template).exec(name)) || [];
  return put.length > 0 && put.every((text) => isCase(file, text));
}
const isText = (file: string, name: string): boolean =>
  casesIn(name).every((text) => isCase(file, text)) &&
  textsIn(file).some((text) => abbreviated(name).test(text) || isPutTogether(file, text, name));
/** Tests of one status are often in a group that has it as its name: `200: answers …` is either. */
function isTest(file: string, name: string): boolean {
  const [, group, rest] = /^([^:]+): (.+)$/s.exec(name) ?? [];
  return isText(file, name) || (rest !== undefined && textsIn(file).includes(group!) && isText(file, rest));
}
const isNamed = (file: string, name: string): boolean =>
  name !== '…' &&
  (file.endsWith('.test.ts') ? isTest(file, name) : readFileSync(file, 'utf8').includes(name));

/** Names may have a semicolon themselves, so the longest that is one counts. */
function unknownNames({ file, names }: Reference): string[] {
  const unknown: string[] = [];
  for (let rest = names === '' ? [] : names.split(BETWEEN); rest.length > 0; ) {
    const lengths = rest.map((_, index) => rest.length - index);
    const length = lengths.find((count) => isNamed(file, rest.slice(0, count).join(BETWEEN)));
    if (length === undefined) unknown.push(rest[0]!);
    rest = rest.slice(length ?? 1);
  }
  return unknown;
}

describe('the notes on the interface', () => {
  it('say by which files each row is pinned', () => {
    assert.ok(cells.length > 300);
    assert.deepEqual(
      cells.filter(({ line, cell }) => referencesIn(cell, line) === undefined),
      [],
    );
  });

  it('name files that are there', () => {
    const gone = references.filter(({ file }) => !existsSync(file));
    assert.deepEqual(gone, []);
  });

  it('name tests that are in the file they name', () => {
    const wrong = references
      .filter(({ file }) => existsSync(file))
      .flatMap((reference) =>
        unknownNames(reference).map((name) => `${reference.line}: ${reference.file}: ${name}`),
      );
    assert.deepEqual(wrong, []);
  });
});

describe('documentation', () => {
  it('names files and folders that are there', () => {
    const pages = globSync(['*.md', 'docs/**/*.md', 'src/**/*.md', 'test/**/*.md', 'deploy/**/*.md']);
    const gone = pages.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(PATH)]
        .filter(([, path]) => !existsSync(path!))
        .map(([, path]) => `${page}: ${path}`),
    );
    assert.ok(pages.length > 30);
    assert.deepEqual(gone, []);
  });
});

describe('the guide for operators', () => {
  const page = readFileSync('docs/operating.md', 'utf8');

  it('has every setting of a retention in its table of them', () =>
    assert.deepEqual(
      settingNames.filter((name) => name.includes('_RETENTION_') && !page.includes(`| \`${name}\`, `)),
      [],
    ));

  it('says of every scope of an operator key what it allows', () =>
    assert.deepEqual(
      OPERATOR_SCOPES.filter((scope) => !page.includes(`\n| \`${scope}\` `)),
      [],
    ));
});
