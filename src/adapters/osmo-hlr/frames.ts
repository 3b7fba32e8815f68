/** Among the multiplexed streams of a connection: that of the control interface, and its message type. */
const STREAM = 0xee;
const CONTROL = 0x00;
/** Two octets of length, and the stream, which the length does not include. */
const HEAD = 3;
const TEXT_MAX = 0xffff - 1;

/** The input is not a frame of the control interface. */
export class BadFrame extends Error {}

export function writeFrame(text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  if (bytes > TEXT_MAX) throw new BadFrame(`a command of ${bytes} bytes is too long`);
  const frame = Buffer.allocUnsafe(HEAD + 1 + bytes);
  frame.writeUInt16BE(1 + bytes, 0);
  frame[2] = STREAM;
  frame[3] = CONTROL;
  frame.write(text, HEAD + 1);
  return frame;
}

/** Splits a stream into the texts of its frames. It keeps only an incomplete frame, so at most 64 KiB. */
export class FrameReader {
  #kept: Buffer = Buffer.alloc(0);

  /** Skips frames on other streams of the connection, such as pings. */
  *read(chunk: Buffer): Generator<string> {
    let rest = this.#kept.length === 0 ? chunk : Buffer.concat([this.#kept, chunk]);
    this.#kept = Buffer.alloc(0);
    while (rest.length >= HEAD) {
      const end = HEAD + rest.readUInt16BE(0);
      if (end === HEAD) throw new BadFrame('a frame without content came');
      if (rest.length < end) break;
      if (rest[2] === STREAM && rest[HEAD] === CONTROL) yield rest.toString('utf8', HEAD + 1, end);
      rest = rest.subarray(end);
    }
    // A copy, because the input may be a slice of a large buffer.
    this.#kept = Buffer.from(rest);
  }
}
