import type { FastifyInstance } from 'fastify';
import { refuse } from '../context/fault.ts';

/** PostgreSQL stores neither U+0000 nor half a surrogate pair. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Decoding replaces bytes that are not UTF-8 with U+FFFD, which would make two different ids equal. */
export const NOT_UTF8 = 'has bytes that are not UTF-8';
export const NOT_STORABLE = 'text with U+0000 or half a surrogate pair cannot be stored';

/** Why a decoded text cannot be stored; undefined if it can. */
export const problemOfText = (text: string): string | undefined =>
  text.includes('\ufffd') ? NOT_UTF8 : isStorable(text) ? undefined : NOT_STORABLE;

function holdsOnlyStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, member]) => isStorable(name) && holdsOnlyStorable(member));
}

const SUSPICIOUS_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/** JSON can contain such text only as an escape, so the raw text is enough to check nearly every body. */
export const isStorableJson = (raw: string, parsed: unknown): boolean =>
  !raw.includes('\\') || !SUSPICIOUS_ESCAPE.test(raw) || holdsOnlyStorable(parsed);

/** Call it after the access check, so that an unauthorised caller learns nothing about valid paths. */
export function refuseNulInUrl(scope: FastifyInstance): void {
  scope.addHook('onRequest', ({ url, dialect }, _reply, done) => {
    if (url.includes('%00')) refuse(dialect.faults.invalid, { reason: NOT_STORABLE });
    done();
  });
}
