import type { FastifyReply } from 'fastify';

/** Announces the next page when this one is full; `key` is where it goes on. */
export function paged<Row>(
  reply: FastifyReply,
  rows: Row[],
  limit: number,
  key: (row: Row) => string,
): Row[] {
  const last = rows.at(-1);
  if (rows.length === limit && last !== undefined) {
    reply.header('x-next', Buffer.from(key(last)).toString('base64url'));
  }
  return rows;
}

export const pageKey = (page: string | undefined): string =>
  page === undefined ? '' : Buffer.from(page, 'base64url').toString('utf8');
