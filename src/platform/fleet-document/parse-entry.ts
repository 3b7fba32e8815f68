import { mayLoseDigits, parseExactly } from '../json/exact-json.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Only the named members keep digits beyond the precision of JavaScript numbers: elsewhere a schema checks numbers, and they
 * are meant as numbers. Few entries have such digits, so nearly all are parsed once.
 */
export function parseEntry(text: string, documents: readonly string[] = []): unknown {
  const entry: unknown = JSON.parse(text);
  if (documents.length === 0 || !isObject(entry) || !mayLoseDigits(text)) return entry;
  const exact = parseExactly(text);
  const kept = documents.filter((name) => Object.hasOwn(entry, name));
  return isObject(exact)
    ? { ...entry, ...Object.fromEntries(kept.map((name) => [name, exact[name]])) }
    : entry;
}
