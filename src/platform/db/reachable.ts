import type { Db } from './db.ts';
import { findingWork, type Query, sql, trusted } from './sql.ts';

/**
 * For queries over all profiles that find work. While a server of a distributed database does not answer, they skip its
 * profiles and continue for the others. Apply it to each table of a join, because the database does not infer it.
 */
export const onlyReachable = ({ servers }: Db, column: string): Query => {
  const profiles = servers.reachable();
  return findingWork(profiles === undefined ? sql`true` : sql`${trusted(column)} = any(${profiles}::text[])`);
};

/**
 * Tenant keys of rows that belong to no customer, normally the first. On a distributed database they are on different servers,
 * so that at least one answers: a server that is down or slow does not lock out the operator of the service.
 */
export const NOBODY: readonly string[] = ['', ...Array.from({ length: 15 }, (_, n) => `nobody-${n + 1}`)];

export const findUnownedKey = ({ servers, isCrowded }: Db): string => {
  const reachable = NOBODY.filter(servers.isReachable);
  return reachable.find((key) => !isCrowded(key)) ?? reachable[0] ?? '';
};
