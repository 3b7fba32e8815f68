/** A statement with its parameters. Values never become text: inside the template they become $1, $2, … */
export interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly upkeep?: boolean;
  readonly unprepared?: boolean;
  /** Reads all profiles to find due work. */
  readonly findsWork?: boolean;
}

class SqlQuery implements Query {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly findsWork: boolean;
  constructor(text: string, values: readonly unknown[], findsWork = false) {
    this.text = text;
    this.values = values;
    this.findsWork = findsWork;
  }
}

const renumber = (text: string, by: number): string =>
  by === 0 ? text : text.replace(/\$(\d+)/g, (_, n: string) => `$${Number(n) + by}`);

/** A value that is itself a query is inserted with its parameters, so that filters can be combined. */
export function sql(parts: TemplateStringsArray, ...values: readonly unknown[]): Query {
  let text = parts[0] ?? '';
  const all: unknown[] = [];
  let findsWork = false;
  for (const [i, value] of values.entries()) {
    if (value instanceof SqlQuery) {
      findsWork ||= value.findsWork;
      text += renumber(value.text, all.length);
      all.push(...value.values);
    } else {
      all.push(value);
      text += `$${all.length}`;
    }
    text += parts[i + 1] ?? '';
  }
  return new SqlQuery(text, all, findsWork);
}

/** A part that marks the whole statement as one that finds work. */
export const findingWork = ({ text, values }: Query): Query => new SqlQuery(text, values, true);

/**
 * A statement that keeps this process alive for others: a heartbeat, a lease. It has a connection of its own, so that it never
 * waits behind the work that it protects, and fails after a few seconds.
 */
export const upkeep = (query: Query): Query => ({ ...query, upkeep: true });

/**
 * Planned each time. For tables that are usually almost empty and suddenly are not: the plan for ten rows, kept with a
 * prepared statement, can take minutes for a hundred thousand.
 */
export const unprepared = (query: Query): Query => ({ ...query, unprepared: true });

/** Text that is part of the program, never input: a column or table name chosen from a fixed list. */
export const trusted = (text: string): Query => new SqlQuery(text, []);

/**
 * A new id to replace the one in `column`, for each row that a statement changes. Derived from that id and the time, because a
 * distributed database sets no column by a function that returns a different value each time.
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
