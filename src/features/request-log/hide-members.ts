const [QUOTE, BACKSLASH] = ['"', '\\'];

/** The index after the closing quote of the string that begins at `from`, or the end of a text that was cut. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === BACKSLASH) at++;
    else if (text[at] === QUOTE) return at + 1;
  }
  return text.length;
}

const skipSpace = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text[at]!)) at++;
  return at;
};

function endOfValue(text: string, from: number): number {
  if (text[from] === QUOTE) return endOfString(text, from);
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at]!;
    if (char === QUOTE) at = endOfString(text, at) - 1;
    else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && ', \t\r\n'.includes(char)) return at;
  }
  return text.length;
}

/** The content of a literal, which may contain escapes and may be cut. */
function contentOf(literal: string): string {
  if (!literal.includes(BACKSLASH)) return literal.slice(1, literal.at(-1) === QUOTE ? -1 : undefined);
  try {
    return JSON.parse(literal);
  } catch {
    return literal;
  }
}

/** These values reveal nothing. */
const PLAIN = /^(true|false|null)$/;

/**
 * Replaces the values of the chosen members with `instead`, at any depth, in a JSON text that may be cut anywhere, and changes
 * other texts by `hideIn`. The rest is unchanged.
 */
export function hideMembers(
  text: string,
  isHidden: (name: string) => boolean,
  instead: string,
  hideIn: (value: string) => string = (value) => value,
): string {
  const parts: string[] = [];
  let kept = 0;
  for (let at = 0; at < text.length; ) {
    if (text[at] !== QUOTE) {
      at++;
      continue;
    }
    const end = endOfString(text, at);
    const colon = skipSpace(text, end);
    const literal = text.slice(at, end);
    at = end;
    if (text[colon] !== ':') {
      const value = contentOf(literal);
      const safe = hideIn(value);
      if (safe === value) continue;
      parts.push(text.slice(kept, end - literal.length), JSON.stringify(safe));
      kept = end;
      continue;
    }
    if (!isHidden(contentOf(literal))) continue;
    const value = skipSpace(text, colon + 1);
    at = endOfValue(text, value);
    if (PLAIN.test(text.slice(value, at))) continue;
    parts.push(text.slice(kept, value), JSON.stringify(instead));
    kept = at;
  }
  return kept === 0 ? text : parts.join('') + text.slice(kept);
}
