import type { Db } from './db.ts';
import { lookingForWork, type Query, sql, trusted } from './sql.ts';

/**
 * For reads over all profiles that look for work. While a server of a distributed database does not answer they leave out what is
 * on it, and so go on for everybody else. Say it of each table of a join: the database infers no list from another's.
 */
export const onlyReachable = ({ servers }: Db, column: string): Query => {
  const profiles = servers.reachable();
  return lookingForWork(
    profiles === undefined ? sql`true` : sql`${trusted(column)} = any(${profiles}::text[])`,
  );
};

/**
 * What belongs to no customer is kept under the first of these. Of a distributed database they are on different servers, so that
 * one of them answers: whoever operates the service is not locked out by a server that is down, or slow.
 */
export const NOBODY: readonly string[] = ['', ...Array.from({ length: 15 }, (_, n) => `nobody-${n + 1}`)];

export const findUnownedKey = ({ servers, isCrowded }: Db): string => {
  const reachable = NOBODY.filter(servers.isReachable);
  return reachable.find((key) => !isCrowded(key)) ?? reachable[0] ?? '';
};
