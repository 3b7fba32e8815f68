/** A mark is a number for all that precedes the end of a line, however lines end. Safe against chance, not malice. */
export const MARK_BYTES = 8;
/** Lines whose marks are stored together. */
const MARKED_TOGETHER = 8_192;
const [LINE_FEED, RETURN] = [0x0a, 0x0d];

export interface LineMark {
  readonly line: number;
  readonly mark: Buffer;
}

/** The marks of consecutive lines. */
export interface MarkPiece {
  readonly firstLine: number;
  readonly marks: Buffer;
}

/** Where the mark of a line is: the first line of its piece, and its first byte there, counted from 1. */
export const placeOf = (line: number): { readonly firstLine: number; readonly at: number } => {
  const before = (line - 1) % MARKED_TOGETHER;
  return { firstLine: line - before, at: before * MARK_BYTES + 1 };
};

/** Marks the lines of a content, at most as many as given. Contents with the same mark begin with the same lines. */
export function lineMarker(linesMax: number) {
  let [one, other, lines, isOpen] = [0x811c9dc5 | 0, 0, 0, false];
  let [piece, filled] = [Buffer.alloc(MARKED_TOGETHER * MARK_BYTES), 0];
  let pieces: MarkPiece[] = [];
  let ended: LineMark | undefined;
  const endPiece = () => {
    if (filled === 0) return;
    pieces.push({ firstLine: placeOf(lines).firstLine, marks: piece.subarray(0, filled) });
    [piece, filled] = [Buffer.alloc(MARKED_TOGETHER * MARK_BYTES), 0];
  };
  const endLine = () => {
    isOpen = false;
    if (lines === linesMax) return;
    piece.writeInt32BE(one, filled);
    piece.writeInt32BE(other, filled + 4);
    [lines, filled] = [lines + 1, filled + MARK_BYTES];
    ended = { line: lines, mark: piece.subarray(filled - MARK_BYTES, filled) };
    if (filled === piece.length) endPiece();
  };
  const takePieces = (): readonly MarkPiece[] => {
    const taken = pieces;
    pieces = [];
    return taken;
  };
  return {
    /** Returns the pieces that are complete. */
    add(chunk: Buffer): readonly MarkPiece[] {
      for (let n = 0; n < chunk.length; n++) {
        const byte = chunk[n]!;
        if (byte === RETURN) continue;
        if (byte === LINE_FEED) endLine();
        else isOpen = true;
        one = Math.imul(one ^ byte, 0x01000193);
        other = (Math.imul(other, 0x5bd1e995) + byte) | 0;
      }
      return takePieces();
    },
    /** Returns the last piece, and after which lines another content may continue: after a last one that is cut, or before it. */
    end(): { readonly rest: readonly MarkPiece[]; readonly ends: readonly LineMark[] } {
      const ends = [ended];
      if (isOpen) {
        endLine();
        ends.unshift(ended);
      }
      endPiece();
      return { rest: takePieces(), ends: ends.filter((end) => end !== undefined) };
    },
  };
}
