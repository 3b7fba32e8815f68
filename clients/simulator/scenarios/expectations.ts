import type { Expectation, SOURCES } from './schema.ts';
import { callAs, type Stage } from './stage.ts';
import { fill, has, type Names } from './values.ts';

/** The expected and the actual result. */
export interface Check {
  readonly what: string;
  readonly ok: boolean;
  /** Set if the check failed. */
  readonly expected?: string;
  readonly came?: string;
}

const ROWS_MAX = 1_000;
const SHOWN_MAX = 5;
const ROUTES: Readonly<Record<Exclude<(typeof SOURCES)[number], 'devices'>, string>> = {
  firings: 'GET /operator/v1/firings',
  callbacks: 'GET /operator/v1/callbacks',
  mail: 'GET /operator/v1/mail',
  sms: 'GET /operator/v1/sms',
  requests: 'GET /operator/v1/requests',
};

const asRows = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

async function rowsOf(stage: Stage, wanted: Expectation, names: Names): Promise<readonly unknown[]> {
  const { heard, answer, saved, devices } = wanted;
  if (heard !== undefined) return stage.listener.received;
  if (saved !== undefined) return asRows(names[saved]);
  if (answer !== undefined) {
    const { rows, ...called } = answer;
    const { data } = await callAs(stage, called);
    return asRows(rows === undefined ? data : (data as Names)[rows]);
  }
  if (devices !== undefined) {
    const { accountName, ...query } = devices;
    const call = 'GET /operator/v1/accounts/{accountName}/devices';
    const { data } = await callAs(stage, {
      call,
      path: { accountName },
      query: { limit: ROWS_MAX, ...query },
    });
    return asRows(data);
  }
  const [source, query] = Object.entries(ROUTES).flatMap(([name, call]) => {
    const given = wanted[name as keyof typeof ROUTES];
    return given === undefined ? [] : [[call, given] as const];
  })[0]!;
  const { data } = await callAs(stage, { call: source, query: { limit: ROWS_MAX, ...query } });
  return asRows(data);
}

const describeRows = (rows: readonly unknown[]): string =>
  [
    `${rows.length}`,
    ...rows.slice(0, SHOWN_MAX).map((row) => JSON.stringify(row)),
    ...(rows.length > SHOWN_MAX ? ['…'] : []),
  ].join(' ');

/** Returns the check and the first row found. */
export async function evaluate(
  stage: Stage,
  given: Expectation,
  names: Names,
): Promise<{ readonly check: Check; readonly found: unknown }> {
  const wanted = fill(given, names);
  const rows = await rowsOf(stage, wanted, names);
  const found = rows.filter((row) => has(row, wanted.where ?? {}));
  const ok = wanted.count === undefined ? found.length > 0 : found.length === wanted.count;
  const expected = `${wanted.count ?? 'at least 1'} with ${JSON.stringify(wanted.where ?? {})}`;
  const came = `${found.length}, of ${describeRows(rows)}`;
  return { check: { what: wanted.that, ok, ...(!ok && { expected, came }) }, found: found[0] };
}
