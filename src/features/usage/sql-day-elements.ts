import { type Query, trusted } from '../../platform/db/sql.ts';

export const ALL_DAYS: ReadonlySet<number> = new Set(Array.from({ length: 31 }, (_, i) => i + 1));

/**
 * The parts of a statement that name the elements of a month: `bytesByDay` of rows with `bytes` and `day_of_month`, and what adds
 * them to the counter `c`. An element that is not touched costs nothing.
 */
export function dayElements(touched: ReadonlySet<number>): {
  readonly bytesByDay: Query;
  readonly addToDays: Query;
} {
  const bytes = [...ALL_DAYS].map((n) =>
    touched.has(n) ? `coalesce(sum(bytes) filter (where day_of_month = ${n}), 0)::bigint` : '0::bigint',
  );
  const added = [...touched].map((n) => `day_bytes[${n}] = c.day_bytes[${n}] + excluded.day_bytes[${n}]`);
  return { bytesByDay: trusted(`array[${bytes.join(', ')}]`), addToDays: trusted(added.join(', ')) };
}
