import { createHash } from 'node:crypto';

/** A statement with its parameters. Values never become text: inside the template they become $1, $2, … */
export interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

class SqlQuery implements Query {
  readonly text: string;
  readonly values: readonly unknown[];
  constructor(text: string, values: readonly unknown[]) {
    this.text = text;
    this.values = values;
  }
}

const renumber = (text: string, by: number): string =>
  by === 0 ? text : text.replace(/\$(\d+)/g, (_, n: string) => `$${Number(n) + by}`);

/** A value that is itself a query is spliced in with its parameters, so that filters can be put together. */
export function sql(parts: TemplateStringsArray, ...values: readonly unknown[]): Query {
  let text = parts[0] ?? '';
  const all: unknown[] = [];
  for (const [i, value] of values.entries()) {
    if (value instanceof SqlQuery) {
      text += renumber(value.text, all.length);
      all.push(...value.values);
    } else {
      all.push(value);
      text += `$${all.length}`;
    }
    text += parts[i + 1] ?? '';
  }
  return new SqlQuery(text, all);
}

/** Text that is part of the program, never input: a column or table name chosen from a fixed list. */
export const trusted = (text: string): Query => new SqlQuery(text, []);

export const joinSql = (queries: readonly Query[], separator: string): Query =>
  queries.reduce(
    (sum, query, i) =>
      new SqlQuery(`${sum.text}${i === 0 ? '' : separator}${renumber(query.text, sum.values.length)}`, [
        ...sum.values,
        ...query.values,
      ]),
    new SqlQuery('', []) as Query,
  );

const names = new Map<string, string>();
const NAMES_MAX = 2_000;

/** Statements are prepared under a name derived from their text, so the server plans each one once per connection. */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= NAMES_MAX) return undefined;
  const name = `lk_${createHash('sha256').update(text).digest('base64url').slice(0, 20)}`;
  names.set(text, name);
  return name;
}
