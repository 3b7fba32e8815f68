/** Of the multiplexed streams of a connection: the one of the control interface, and the message type on it. */
const STREAM = 0xee;
const CONTROL = 0x00;
/** Two octets of length and the stream, which the length does not count. */
const HEAD = 3;
const TEXT_MAX = 0xffff - 1;

/** What came cannot be a frame of the control interface. */
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

/** Cuts a stream into the texts of its frames. It keeps what is less than a frame, so never more than 64 KiB. */
export class FrameReader {
  #kept: Buffer = Buffer.alloc(0);

  /** Frames on other streams of the connection, such as its pings, are left out. */
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
    // A copy: what was read may be a slice of something large.
    this.#kept = Buffer.from(rest);
  }
}
