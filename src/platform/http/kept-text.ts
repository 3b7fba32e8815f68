/** So much of a body is kept for the log of requests. */
const KEPT_BYTES = 16 * 1024;
const CUT = '…';

/** A copy where it is cut: a part of a long text would hold all of it in memory. */
export function keepText(text: string): string {
  if (text.length * 3 <= KEPT_BYTES) return text;
  const bytes = Buffer.from(text.slice(0, KEPT_BYTES), 'utf8');
  if (bytes.length <= KEPT_BYTES && text.length <= KEPT_BYTES) return text;
  // The end may have a part of a sign.
  return (
    bytes
      .subarray(0, KEPT_BYTES)
      .toString('utf8')
      .replace(/\uFFFD$/, '') + CUT
  );
}

export const isCut = (kept: string): boolean => kept.endsWith(CUT);

/** The same bytes; `onKept` gets what the log of requests keeps of them, as they come. */
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
