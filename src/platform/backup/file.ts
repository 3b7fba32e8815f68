import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline as pipe } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import * as format from './format.ts';

/** A fast level: a backup delays the server's clean-up as long as it runs. */
const GZIP_LEVEL = 3;

export type BackupFile = Awaited<ReturnType<typeof createBackupFile>>;

export async function createBackupFile(path: string) {
  const target = resolve(path);
  if (existsSync(target))
    throw new format.BackupError(`${target} already exists; a backup never replaces a file.`);
  const draft = `${target}.part`;
  const hash = createHash('sha256');
  const gzip = createGzip({ level: GZIP_LEVEL });
  // It contains password hashes, sealed secrets and positions: readable by its owner only.
  const written = pipeline(gzip, createWriteStream(draft, { mode: 0o600, flush: true }));
  written.catch(() => {});

  async function write(bytes: Buffer): Promise<void> {
    hash.update(bytes);
    if (!gzip.write(bytes)) await Promise.race([once(gzip, 'drain'), written]);
  }
  const line = (value: object) => write(Buffer.from(`${JSON.stringify(value)}\n`));
  return {
    line,
    async block(bytes: Buffer) {
      await line({ bytes: bytes.length });
      await write(bytes);
    },
    /** The file gets its name only now, when it is complete on the disk. */
    async finish(totals: format.Totals) {
      await line({ ...totals, sha256: hash.copy().digest('hex') });
      gzip.end();
      await written;
      await rename(draft, target);
      const folder = await open(dirname(target));
      await folder.sync().finally(() => folder.close());
    },
    async discard() {
      gzip.destroy();
      await written.catch(() => {});
      await rm(draft, { force: true });
    },
  };
}

const damaged = (path: string, cause?: unknown) =>
  new format.BackupError(`${path} is not a complete backup: it ends too early or was changed.`, { cause });

function createByteReader(path: string) {
  const gunzip = pipe(createReadStream(path), createGunzip(), () => {});
  const source: AsyncIterator<Buffer> = gunzip[Symbol.asyncIterator]();
  const hash = createHash('sha256');
  let rest: Buffer = Buffer.alloc(0);

  async function more(): Promise<Buffer> {
    const next = await source.next().catch((error: NodeJS.ErrnoException) => {
      throw error.path === undefined ? damaged(path, error) : error;
    });
    if (next.done) throw damaged(path);
    return next.value;
  }
  async function take(length: number): Promise<Buffer> {
    const parts = [rest];
    let have = rest.length;
    while (have < length) {
      const part = await more();
      parts.push(part);
      have += part.length;
    }
    const all = parts.length === 1 ? rest : Buffer.concat(parts, have);
    rest = all.subarray(length);
    const taken = all.subarray(0, length);
    hash.update(taken);
    return taken;
  }
  return {
    take,
    digest: () => hash.copy().digest('hex'),
    close: () => gunzip.destroy(),
    async line(): Promise<unknown> {
      while (!rest.includes(0x0a)) {
        if (rest.length > format.LINE_BYTES_MAX) throw damaged(path);
        rest = Buffer.concat([rest, await more()]);
      }
      const text = (await take(rest.indexOf(0x0a) + 1)).toString('utf8');
      try {
        return JSON.parse(text);
      } catch (error) {
        throw damaged(path, error);
      }
    },
  };
}

/** Reads what follows the header: a table, then all its blocks, then the next table. None can be skipped. */
export async function openBackup(path: string) {
  const bytes = createByteReader(path);
  const is = <S extends TSchema>(schema: S, line: unknown): line is Static<S> => Value.Check(schema, line);
  const header = await bytes.line();
  if (!is(format.headerLine, header)) throw new format.BackupError(`${path} is not a backup of Linekeeper.`);
  if (header.linekeeperBackup !== format.FORMAT)
    throw new format.BackupError(`${path} has a format that this version cannot read.`);
  const totals = { tables: 0, rows: 0 };
  let ended: format.TableEnd | undefined;
  return {
    header,
    async nextTable(): Promise<format.TableHead | undefined> {
      const sha256 = bytes.digest();
      const line = await bytes.line();
      if (is(format.tableLine, line)) return line;
      const whole =
        is(format.endLine, line) &&
        line.sha256 === sha256 &&
        line.tables === totals.tables &&
        line.rows === totals.rows;
      if (!whole) throw damaged(path);
      return undefined;
    },
    async *blocks(): AsyncGenerator<Buffer> {
      for (;;) {
        const line = await bytes.line();
        if (is(format.blockLine, line)) {
          yield await bytes.take(line.bytes);
        } else if (is(format.tableEndLine, line)) {
          totals.tables++;
          totals.rows += line.rows;
          ended = line;
          return;
        } else throw damaged(path);
      }
    },
    /** Available after the last block. */
    tableEnd: () => ended!,
    close: bytes.close,
  };
}

/** Reads the whole file once, so that a damaged one is refused before anything is changed. */
export async function verifyBackup(path: string): Promise<{ header: format.Header; tables: number }> {
  const reader = await openBackup(path);
  try {
    let tables = 0;
    for (; (await reader.nextTable()) !== undefined; tables++) for await (const _ of reader.blocks());
    return { header: reader.header, tables };
  } finally {
    reader.close();
  }
}
