import type { Db } from '../db/db.ts';
import { sql } from '../db/sql.ts';
import { nestsTooDeep } from '../http/json-body.ts';
import { findLines } from '../json/find-lines.ts';
import type { Found, Problem } from './section.ts';

/** For a longer entry, only its first line is reported. */
const SOURCE_MAX = 64 * 1024;

/** The position of an entry in the document. */
interface Place {
  /** The first line, counted from 1. */
  readonly line: number;
  /** The text of the entry, if it has several lines. */
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

/** The problems of one entry, with the line of the member, of its parent if it is missing, or of the JSON error. */
export function problemsAt(section: string, { line, source }: Place, found: readonly Found[]): Problem[] {
  const paths = found.map(({ path }) => path);
  const inside = source === null || nestsTooDeep(source) ? undefined : findLines(source, paths);
  return found.map(({ position, path, detail }) => ({
    pointer: `/${section}/${position}${path}`,
    line: line + (inside?.broken ?? inside?.of(path) ?? 1) - 1,
    detail,
  }));
}

/** Like `problemsAt`, for staged entries. */
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

/** The line at which a text that begins on this line stops being JSON. Undefined if it is valid, or if that is unknown. */
export function brokenLine(line: number, text: string): number | undefined {
  const broken = nestsTooDeep(text) ? undefined : findLines(text, []).broken;
  return broken === undefined ? undefined : line + broken - 1;
}

/** Line numbers are useless in a document of one line. */
export const withoutLines = (problems: readonly Problem[]): readonly Problem[] =>
  problems.map(({ line: _, ...problem }) => problem);
