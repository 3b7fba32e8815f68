/** A statement with its parameters. Values never become text: inside the template they become $1, $2, … */
export interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly upkeep?: boolean;
  readonly unprepared?: boolean;
  /** Reads over all profiles, to find what is due. */
  readonly looksForWork?: boolean;
}

class SqlQuery implements Query {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly looksForWork: boolean;
  constructor(text: string, values: readonly unknown[], looksForWork = false) {
    this.text = text;
    this.values = values;
    this.looksForWork = looksForWork;
  }
}

const renumber = (text: string, by: number): string =>
  by === 0 ? text : text.replace(/\$(\d+)/g, (_, n: string) => `$${Number(n) + by}`);

/** A value that is itself a query is spliced in with its parameters, so that filters can be put together. */
export function sql(parts: TemplateStringsArray, ...values: readonly unknown[]): Query {
  let text = parts[0] ?? '';
  const all: unknown[] = [];
  let looksForWork = false;
  for (const [i, value] of values.entries()) {
    if (value instanceof SqlQuery) {
      looksForWork ||= value.looksForWork;
      text += renumber(value.text, all.length);
      all.push(...value.values);
    } else {
      all.push(value);
      text += `$${all.length}`;
    }
    text += parts[i + 1] ?? '';
  }
  return new SqlQuery(text, all, looksForWork);
}

/** A part that makes the whole statement one that looks for work. */
export const lookingForWork = ({ text, values }: Query): Query => new SqlQuery(text, values, true);

/**
 * Keeps this process alive in the eyes of others: a heartbeat, a lease. It has a connection of its own,
 * so that it never waits behind the work it is to keep, and is given up after a few seconds.
 */
export const upkeep = (query: Query): Query => ({ ...query, upkeep: true });

/**
 * Planned anew each time. For tables that are nearly empty most of the time and suddenly are not: the plan
 * that was best for ten rows and is kept with the prepared statement can take minutes for a hundred thousand.
 */
export const unprepared = (query: Query): Query => ({ ...query, unprepared: true });

/** Text that is part of the program, never input: a column or table name chosen from a fixed list. */
export const trusted = (text: string): Query => new SqlQuery(text, []);

/**
 * A new id in the place of the one in `column`, for as many rows as a statement changes. Made from that one and the time,
 * not at random: a distributed database sets no column by a function that answers differently each time.
 */
export const nextId = (column: string, now: Date): Query =>
  sql`md5(${trusted(column)}::text || ${now.toISOString()}::text)::uuid`;

export const joinSql = (queries: readonly Query[], separator: string): Query =>
  queries.reduce(
    (sum, query, i) =>
      new SqlQuery(`${sum.text}${i === 0 ? '' : separator}${renumber(query.text, sum.values.length)}`, [
        ...sum.values,
        ...query.values,
      ]),
    new SqlQuery('', []) as Query,
  );
