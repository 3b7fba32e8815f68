import pg from 'pg';

/** The rows of a customer are on a server that does not answer at present. */
export class Unreachable extends Error {}

/** True for any failure of the database, or of the connection to it. */
export const isOfDatabase = (error: unknown): boolean =>
  isUnavailable(error) || error instanceof pg.DatabaseError;

/** True if a row was not written because of this key or check. */
export const violates = (error: unknown, constraint: string): boolean =>
  error instanceof pg.DatabaseError && error.constraint === constraint;

/** True for failures of the connection, not of the statement: the caller may try again later. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string') {
    // Lost connections, a full or stopping server, and waits that took too long.
    return /^(08|53|57P0|57014|55P03|40)/.test(code) || /^E(CONN|PIPE|TIMEDOUT|HOST|NET|AI_AGAIN)/.test(code);
  }
  return /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|not queryable/.test(
    error.message,
  );
}
