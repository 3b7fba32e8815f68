import type { Db } from '../db/db.ts';
import { sql } from '../db/sql.ts';
import { nestsTooDeep } from '../http/json-body.ts';
import { findLines } from '../json/find-lines.ts';
import type { Found, Problem } from './section.ts';

/** Of a longer entry only its first line is told. */
const SOURCE_MAX = 64 * 1024;

/** Where an entry stands in the document. */
interface Place {
  /** Its first line; lines are counted from 1. */
  readonly line: number;
  /** As it was sent, where it has several lines. */
  readonly source: string | null;
}

/** `text` may have spaces and newlines around the entry. */
export function placeOf({ text, line }: { readonly text: string; readonly line: number }): Place {
  if (!text.includes('\n')) return { line, source: null };
  const entry = text.trimStart();
  const first = line + text.slice(0, text.length - entry.length).split('\n').length - 1;
  const isRead = entry.length <= SOURCE_MAX && entry.trimEnd().includes('\n');
  return { line: first, source: isRead ? entry : null };
}

/** Of what is wrong in one entry: the line of the member, or of what that would be a part of, or where it is no JSON any more. */
export function problemsAt(section: string, { line, source }: Place, found: readonly Found[]): Problem[] {
  const paths = found.map(({ path }) => path);
  const inside = source === null || nestsTooDeep(source) ? undefined : findLines(source, paths);
  return found.map(({ position, path, detail }) => ({
    pointer: `/${section}/${position}${path}`,
    line: line + (inside?.broken ?? inside?.of(path) ?? 1) - 1,
    detail,
  }));
}

/** The same of entries that are staged. */
export async function problemsOfStaged(
  db: Db,
  section: string,
  found: readonly Found[],
): Promise<readonly Problem[]> {
  if (found.length === 0) return [];
  const places = await db.many<Place & { readonly position: number }>(sql`
    select position, line, source from staged_entry
    where section = ${section} and position = any(${found.map(({ position }) => position)}::int[])`);
  const byPosition = new Map(places.map((place) => [place.position, place]));
  return found.flatMap((one) => problemsAt(section, byPosition.get(one.position)!, [one]));
}

/** Where a text that begins on this line stops to be JSON. Undefined where it does not, or nobody can say. */
export function brokenLine(line: number, text: string): number | undefined {
  const broken = nestsTooDeep(text) ? undefined : findLines(text, []).broken;
  return broken === undefined ? undefined : line + broken - 1;
}

/** In a document of one line, to name it would tell nobody anything. */
export const withoutLines = (problems: readonly Problem[]): readonly Problem[] =>
  problems.map(({ line: _, ...problem }) => problem);
