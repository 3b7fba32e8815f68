/** The shape of a source's name: that of every name in the network file. */
export const SOURCE_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';

/** No source has it in its name. */
const SEPARATOR = '\u001f';

/**
 * The id of a usage record as a profile knows it. Each source numbers its records by itself; records without a source
 * share one, and their key is their id, unless the id looks like the key of a source.
 */
export function recordKey(source: string | undefined, id: string): string {
  if (source !== undefined) return `${source}${SEPARATOR}${id}`;
  return id.includes(SEPARATOR) ? `${SEPARATOR}${id}` : id;
}

/** The id as its source gave it, and the source if it has one. */
export function readRecordKey(key: string): { readonly source: string | undefined; readonly id: string } {
  const at = key.indexOf(SEPARATOR);
  if (at < 0) return { source: undefined, id: key };
  return { source: key.slice(0, at) || undefined, id: key.slice(at + 1) };
}
