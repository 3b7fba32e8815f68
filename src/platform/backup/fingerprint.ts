import { hash } from 'node:crypto';

/** Of the rows of a table, in whatever order they come: a restored table keeps its rows, and not their places. */
export function createFingerprint() {
  const sums = new Uint32Array(8);
  let rows = 0;
  return {
    add(row: Buffer): void {
      const digest = hash('sha256', row, 'buffer');
      for (let i = 0; i < sums.length; i++) sums[i]! += digest.readUInt32LE(i * 4);
      rows++;
    },
    end: () => ({ rows, fingerprint: Buffer.from(sums.buffer).toString('hex') }),
  };
}
