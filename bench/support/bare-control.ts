import { connect } from 'node:net';

/** Commands in flight, the same number as in the adapter. */
const IN_FLIGHT = 64;

/**
 * A minimal client of a register's control interface: writes frames and counts responses, checking only for errors. Resolves with
 * the seconds.
 */
export async function runBare(address: string, commands: readonly string[]): Promise<number> {
  const [host, port] = address.split(':');
  const socket = connect({ host: host!, port: Number(port), noDelay: true });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const startedAt = performance.now();
  let [next, answered] = [0, 0];
  let kept: Buffer = Buffer.alloc(0);
  const fill = () => {
    socket.cork();
    while (next < commands.length && next - answered < IN_FLIGHT) {
      const [kind, rest] = commands[next]!.split(/ (.*)/);
      const text = `${kind} ${++next} ${rest}`;
      const frame = Buffer.allocUnsafe(4 + text.length);
      frame.writeUInt16BE(1 + text.length);
      frame[2] = 0xee;
      frame[3] = 0;
      frame.write(text, 4, 'latin1');
      socket.write(frame);
    }
    socket.uncork();
  };
  socket.on('data', (chunk) => {
    kept = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
    let at = 0;
    for (; at + 4 <= kept.length; at += 3 + kept.readUInt16BE(at)) {
      if (at + 3 + kept.readUInt16BE(at) > kept.length) break;
      // The E of ERROR.
      if (kept[at + 4] === 0x45) reject(new Error(kept.toString('latin1', at + 4)));
      answered++;
    }
    kept = kept.subarray(at);
    if (answered === commands.length) resolve();
    else fill();
  });
  socket.on('error', reject);
  fill();
  await promise.finally(() => socket.destroy());
  return (performance.now() - startedAt) / 1_000;
}
