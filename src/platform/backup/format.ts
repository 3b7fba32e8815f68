import { hash } from 'node:crypto';
import Type, { type Static } from 'typebox';

/**
 * A backup is one gzip stream: a line of JSON about the whole; for each table a line, blocks of COPY text (each after a line
 * with its length), and a line with the expected result; and a last line with the checksum of everything before it.
 */
export const FORMAT = 1;
export const BLOCK_BYTES = 64 * 1024;
/** The longest row that PostgreSQL sends, because a row is never split. */
export const BLOCK_BYTES_MAX = 1024 * 1024 * 1024;
export const LINE_BYTES_MAX = 4 * 1024 * 1024;

export const headerLine = Type.Object({
  linekeeperBackup: Type.Integer(),
  version: Type.String(),
  createdAt: Type.String(),
  server: Type.String(),
  migrations: Type.Array(Type.Object({ name: Type.String(), checksum: Type.String() })),
  /** Partitions; absent in a backup from before there were any. */
  parts: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        of: Type.String(),
        days: Type.String({
          pattern: /^(DEFAULT|FOR VALUES FROM \((MINVALUE|'[-0-9]+')\) TO \('[-0-9]+'\))$/.source,
        }),
      }),
    ),
  ),
  sequences: Type.Array(
    Type.Object({
      table: Type.String(),
      column: Type.String(),
      value: Type.String(),
      called: Type.Boolean(),
    }),
  ),
});
export const tableLine = Type.Object({ table: Type.String(), columns: Type.Array(Type.String()) });
export const blockLine = Type.Object({ bytes: Type.Integer({ minimum: 1, maximum: BLOCK_BYTES_MAX }) });
export const tableEndLine = Type.Object({ rows: Type.Integer(), fingerprint: Type.String() });
export const endLine = Type.Object({ tables: Type.Integer(), rows: Type.Integer(), sha256: Type.String() });

export type Header = Static<typeof headerLine>;
export type TableHead = Static<typeof tableLine>;
export type TableEnd = Static<typeof tableEndLine>;
export type Totals = Omit<Static<typeof endLine>, 'sha256'>;

/** Receives the current step, and the share of the work that is done. */
export type Watch = (step: string, share: number) => void;

/** An error that prevents a backup or a restore: the message is one sentence for the person who requested it. */
export class BackupError extends Error {}

/** A fingerprint of the rows of a table in any order, because a restore does not keep their physical order. */
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
