import { globSync, readFileSync } from 'node:fs';
import { decisions, requirementsIn, sections } from './requirements.ts';

/** `id` may end in `*`, which stands for all of a section. */
export interface Tag {
  readonly id: string;
  readonly file: string;
  /** Where the test below the tag begins, counted from 1; undefined where none does. */
  readonly line: number | undefined;
}

const TAG = /^\s*\/\/ proves (.+)$/;
const TEST = /\b(?:it|test|describe)\(/;
/** A test that runs once for each case has its tags above the loop. */
const LOOP = /^\s*for \(/;

export const listTestFiles = (): string[] =>
  globSync(['{src,demo,embedded-postgres}/**/*.test.ts', 'clients/**/*.test.ts', 'test/**/*.test.ts'])
    .map((file) => file.replaceAll('\\', '/'))
    .sort();

function tagsIn(file: string): Tag[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const testAt = (below: number): number | undefined => {
    const at = LOOP.test(lines[below] ?? '')
      ? lines.findIndex((text, index) => index > below && TEST.test(text))
      : below;
    return TEST.test(lines[at] ?? '') ? at + 1 : undefined;
  };
  return lines.flatMap((text, index) => {
    const [, ids] = TAG.exec(text) ?? [];
    if (ids === undefined) return [];
    const below = lines.findIndex((other, at) => at > index && !TAG.test(other));
    return ids.split(' ').map((id) => ({ id, file, line: testAt(below) }));
  });
}

export const collectTags = (): Tag[] => listTestFiles().flatMap(tagsIn);

const isMeant = (id: string, tag: Tag): boolean =>
  tag.id.endsWith('/*') ? id.startsWith(tag.id.slice(0, -1)) : tag.id === id;

/** The tags of each requirement and decision, by its id. */
export const proofsIn = (tags: readonly Tag[]): ReadonlyMap<string, readonly Tag[]> =>
  new Map(
    requirementsIn([...sections, ...decisions]).map(({ id }) => [id, tags.filter((tag) => isMeant(id, tag))]),
  );

/** Tags that name nothing, or stand above no test. */
export function wrongTags(tags: readonly Tag[]): Tag[] {
  const known = requirementsIn([...sections, ...decisions]).map(({ id }) => id);
  return tags.filter((tag) => tag.line === undefined || !known.some((id) => isMeant(id, tag)));
}
