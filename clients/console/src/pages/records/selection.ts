/** Parses `field = value, field = value`; text without an equals sign is a name. */
export function selectionOf(typed: string): Readonly<Record<string, string>> {
  const parts = typed
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return Object.fromEntries(
    parts.map((part) => {
      const at = part.indexOf('=');
      return at < 0 ? ['name', part] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    }),
  );
}
