import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { decisions, type Requirement, requirementsIn, type Section, sections } from './requirements.ts';
import { proofsIn, type Tag } from './tags.ts';

export const PAGE = 'docs/conformance.md';

/** Undefined where the test below the tag did not run. */
export type ResultOf = (tag: Tag) => 'passed' | 'failed' | undefined;

function resultOfAll(proofs: readonly Tag[], resultOf: ResultOf): string {
  if (proofs.length === 0) return 'no test';
  const results = proofs.map(resultOf);
  if (results.includes('failed')) return 'failed';
  return results.includes(undefined) ? 'not run' : 'passed';
}

const filesOf = (proofs: readonly Tag[]): string[] => [...new Set(proofs.map(({ file }) => file))];
/** Short and still unique: the folders that say nothing are left out. */
const nameOf = (file: string): string =>
  file.replaceAll(/^src\/|features\/|test\/|\.test\.ts$/g, '').replace(/^platform\/|^adapters\//, '');
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

/** docs/conformance.md: no times in it, so that it changes only when requirements, tests or results do. */
export function conformanceText(tags: readonly Tag[], resultOf: ResultOf): string {
  const proofs = proofsIn(tags);
  const resultOfId = ({ id }: Requirement) => resultOfAll(proofs.get(id)!, resultOf);
  const proven = (all: readonly Section[]) => {
    const some = requirementsIn(all);
    return `${some.filter((one) => resultOfId(one) === 'passed').length} of ${some.length}`;
  };
  const rowText = (one: Requirement) => {
    const files = filesOf(proofs.get(one.id)!).map((file) => `[${nameOf(file)}]`);
    return `| ${cell(one.name)} | ${cell(one.text)} | ${files.join(', ')} | ${resultOfId(one)} |`;
  };
  const cited = filesOf(requirementsIn(sections).flatMap(({ id }) => proofs.get(id)!)).sort();
  return [
    '# Conformance',
    '',
    'What the interface requires, in our own words, and the test files that prove it. Numbers are sections of the interface;',
    'where several of its tables share a number, a word distinguishes them. A test that proves a row has the number and name',
    'of the row above it: `// proves 2.1/triggerId`. `npm run conformance` writes this page from a run of these tests; `npm test`',
    'fails when a row has no test or the page is out of date. The rows are in `test/conformance/requirements.md`.',
    '',
    `${proven(sections)} rows are proven.`,
    ...sections.flatMap(({ id, title, requirements }) => [
      '',
      `## ${id} ${title}`,
      '',
      '| Row | What it requires | Proven by | Result |',
      '|---|---|---|---|',
      ...requirements.map(rowText),
    ]),
    '',
    '## Decisions',
    '',
    'Where the interface is silent, leaves a choice or contradicts itself, [the notes](interface-notes.md) decide. Their entries',
    `have tests like the rows above; ${proven(decisions)} are proven.`,
    '',
    '| Area | Proven |',
    '|---|---|',
    ...decisions.map((section) => `| ${section.title} | ${proven([section])} |`),
    '',
    ...cited.map((file) => `[${nameOf(file)}]: ${relative(dirname(PAGE), file)}`),
    '',
  ].join('\n');
}

interface EndedTest {
  readonly file?: string;
  readonly line?: number;
  readonly skip?: string | boolean;
  readonly todo?: string | boolean;
}

/** Collects the results of a run by where each test is written: one that runs in a loop has passed when all its rounds have. */
export function collectResults() {
  const results = new Map<string, boolean>();
  return {
    /** What was skipped proves nothing, although it counts as passed. */
    record: (passed: boolean) => (ended: EndedTest) => {
      if (ended.file === undefined || ended.skip !== undefined || ended.todo !== undefined) return;
      const place = `${relative(process.cwd(), ended.file)}:${ended.line}`;
      results.set(place, (results.get(place) ?? true) && passed);
    },
    resultOf: ({ file, line }: Tag): ReturnType<ResultOf> => {
      const passed = results.get(`${file}:${line}`);
      return passed === undefined ? undefined : passed ? 'passed' : 'failed';
    },
  };
}

/** After a run of all tests that prove something: writes the page, or says what contradicts it. */
export function checkConformance(tags: readonly Tag[], resultOf: ResultOf, write: boolean): string[] {
  const text = conformanceText(tags, resultOf);
  if (write) writeFileSync(PAGE, text);
  const unmet = tags.flatMap((tag) => {
    const result = resultOf(tag);
    return result === 'passed' ? [] : [`${tag.file}:${tag.line} has ${result ?? 'not run'}`];
  });
  if (unmet.length > 0) return [...new Set(unmet)];
  return readFileSync(PAGE, 'utf8') === text ? [] : [`${PAGE} is not current; npm run conformance writes it`];
}
