import { relative } from 'node:path';
import { decisions } from './decisions/index.ts';
import { isMeant, type Proof, type Row, type Section } from './row.ts';
import { sections } from './rows/index.ts';

/** Undefined where no test of that name ran. */
export type ResultOf = (proof: Proof) => 'passed' | 'failed' | undefined;

interface EndedTest {
  readonly name: string;
  readonly file?: string;
  readonly skip?: string | boolean;
  readonly todo?: string | boolean;
}

const rowsIn = (all: readonly Section[]): readonly Row[] => all.flatMap((section) => section.rows);
export const rows: readonly Row[] = rowsIn([...sections, ...decisions]);
export const proofs: readonly Proof[] = rows.flatMap((row) => row.proofs);
export const provingFiles: ReadonlySet<string> = new Set(proofs.map(({ file }) => file));

/** Its tests show that a row of an error table is known word by word, not that anything is refused with it. */
const CATALOGUE = 'test/audit/errors.test.ts';
const isOnlyCatalogued = ({ proofs: needed }: Row): boolean => needed.every(({ file }) => file === CATALOGUE);

function resultOfRow(row: Row, resultOf: ResultOf): string {
  if (row.proofs.length === 0) return 'no test';
  const results = row.proofs.map(resultOf);
  if (results.includes('failed')) return 'failed';
  if (results.includes(undefined)) return 'not run';
  return isOnlyCatalogued(row) ? 'catalogue only' : 'passed';
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

function proofCell({ proofs: all }: Row): string {
  const byFile = Map.groupBy(all, ({ file }) => file);
  return [...byFile]
    .map(([file, some]) => `\`${file}\`: ${some.map(({ test }) => cell(test)).join('; ')}`)
    .join('<br>');
}

const sectionText = ({ number, title, rows: all }: Section, resultOf: ResultOf): string[] => [
  `## ${number} ${title}`,
  '',
  '| Row | What it says | Test | Result |',
  '|---|---|---|---|',
  ...all.map(
    (row) =>
      `| ${cell(row.subject)} | ${cell(row.says)} | ${proofCell(row)} | ${resultOfRow(row, resultOf)} |`,
  ),
  '',
];

/** docs/conformance.md: no times in it, so that it changes only when rows, tests or results do. */
export function conformanceText(resultOf: ResultOf): string {
  const count = (all: readonly Section[], result: string) =>
    rowsIn(all).filter((row) => resultOfRow(row, resultOf) === result).length;
  const ofAll = (all: readonly Section[]) => `${count(all, 'passed')} of ${rowsIn(all).length}`;
  const unused = count(sections, 'catalogue only');
  return [
    '# Conformance',
    '',
    'Every row of every table of the interface, what it says in short, the tests that prove it, and how they ended.',
    'Numbers are sections of the interface; where several of its tables have one number, a word tells them apart, and',
    'rules that it lists in sentences are rows too. Names of tests in angle brackets stand for all cases of a test that',
    'runs once for each. `npm run conformance` writes this page from a run of these tests; `npm test` fails when one of',
    'them does not pass or the page is not current. The rows are in `test/conformance/rows`.',
    '',
    'Sections that begin with D are no tables of the interface: they say what the service does where that is silent, leaves',
    'a choice or contradicts itself. Their rows are in `test/conformance/decisions`.',
    '',
    `${ofAll(sections)} rows are proven.${unused === 0 ? '' : ` In the catalogue of errors, while nothing is refused with them: ${unused}.`}`,
    `${ofAll(decisions)} decisions are proven.`,
    '',
    ...[...sections, ...decisions].flatMap((section) => sectionText(section, resultOf)),
  ].join('\n');
}

/** Collects the results of a run, by file and name. */
export function collectResults() {
  const results = new Map<string, Map<string, boolean>>();
  const byFile = Map.groupBy(proofs, ({ file }) => file);
  return {
    /** What was skipped proves nothing, although it is said to have passed. */
    hear: (passed: boolean) => (ended: EndedTest) => {
      if (ended.file === undefined || ended.skip !== undefined || ended.todo !== undefined) return;
      const file = relative(process.cwd(), ended.file);
      if (!byFile.get(file)?.some((proof) => isMeant(proof, ended.name))) return;
      const known = results.get(file) ?? new Map<string, boolean>();
      results.set(file, known.set(ended.name, (known.get(ended.name) ?? true) && passed));
    },
    resultOf: (proof: Proof): ReturnType<ResultOf> => {
      const met = [...(results.get(proof.file) ?? [])].filter(([name]) => isMeant(proof, name));
      if (met.length === 0) return undefined;
      return met.every(([, passed]) => passed) ? 'passed' : 'failed';
    },
  };
}
