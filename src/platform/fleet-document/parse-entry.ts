import { mayLoseDigits, parseExactly } from '../json/exact-json.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Only the named members keep digits that JavaScript's numbers do not have: elsewhere a number is judged by a schema and
 * meant as a number. Few entries have such digits, so nearly all are read once.
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
