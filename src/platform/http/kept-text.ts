/** The log of requests keeps this much of a body. */
const KEPT_BYTES = 16 * 1024;
const CUT = '…';

/** Copies the part that it cuts: a slice of a long string would keep all of it in memory. */
export function keepText(text: string): string {
  if (text.length * 3 <= KEPT_BYTES) return text;
  const bytes = Buffer.from(text.slice(0, KEPT_BYTES), 'utf8');
  if (bytes.length <= KEPT_BYTES && text.length <= KEPT_BYTES) return text;
  // The cut may have split a character at the end.
  return (
    bytes
      .subarray(0, KEPT_BYTES)
      .toString('utf8')
      .replace(/\uFFFD$/, '') + CUT
  );
}

export const isCut = (kept: string): boolean => kept.endsWith(CUT);

/** Passes the bytes on; `onKept` receives the part for the log of requests as it arrives. */
export async function* keepBeginning(
  bytes: AsyncIterable<Buffer>,
  onKept: (text: string) => void,
): AsyncGenerator<Buffer, void, undefined> {
  const decoder = new TextDecoder();
  let kept = '';
  for await (const chunk of bytes) {
    if (!isCut(kept)) {
      kept = keepText(kept + decoder.decode(chunk.subarray(0, KEPT_BYTES + 1), { stream: true }));
      onKept(kept);
    }
    yield chunk;
  }
}
