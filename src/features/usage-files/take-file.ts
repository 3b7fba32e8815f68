import { join } from 'node:path';
import type { Ctx } from '../../platform/context/context.ts';
import { type FeedSizes, type RecordBatch, readRecords } from '../../platform/feeds/parse-records.ts';
import { BATCH, FeedInterrupted } from '../../platform/feeds/take-feed.ts';
import { isBadGzip } from '../../platform/http/body-stream.ts';
import { type FeedPolicy, takeUsageBatches, type UsageRecord } from '../usage/index.ts';
import { BadFile, FileChanged, hashContent, readContent } from './content.ts';
import { isUnchanged, type WaitingFile } from './folder.ts';
import { type Mapping, needsHash } from './mapping.ts';
import { type RowId, rowReader } from './read-rows.ts';
import { openRejectFile } from './reject-file.ts';
import {
  type ClaimedFile,
  type FileKey,
  type FileProgress,
  findWhole,
  keepMarks,
  listParts,
  noteContent,
  noteProgress,
} from './sql.ts';

/** A folder from which files are taken, and how they are parsed. */
export interface FolderFeed {
  readonly name: string;
  readonly folder: string;
  readonly mapping: Mapping;
  /** Where its records come from; undefined: the source of all records without one. */
  readonly source?: string | undefined;
}

/** A claimed file, and its progress when it was claimed. */
export interface HeldFile {
  readonly feed: FolderFeed;
  readonly file: WaitingFile;
  readonly key: FileKey;
  readonly leaseToken: string;
  readonly claimed: ClaimedFile;
  /** Aborted when another process claims the file or work on it pauses. */
  readonly signal: AbortSignal;
}

/** Another process holds the file. */
export class FileLost extends Error {}

/** Next to the file while it is taken. */
export const rejectPathOf = ({ folder }: FolderFeed, { name }: WaitingFile): string =>
  join(folder, `${name}.rejected`);

/** Leaves out what was committed before. */
function behind<T>({ records, rejected }: RecordBatch<T>, line: number): RecordBatch<T> {
  const isBehind = (each: { readonly line: number }) => each.line > line;
  return { records: records.filter(isBehind), rejected: rejected.filter(isBehind) };
}

async function* batchesOf(
  { feed, file, claimed, signal }: HeldFile,
  idOf: RowId,
  sizes: FeedSizes | undefined,
): AsyncGenerator<RecordBatch<UsageRecord>> {
  const content = await readContent(file.path, signal);
  for await (const batch of readRecords(content, rowReader(feed.mapping, idOf), { ...BATCH, ...sizes })) {
    signal.throwIfAborted();
    if (!(await isUnchanged(file))) throw new FileChanged('has changed while it was read');
    const rest = behind(batch, claimed.lines);
    if (rest.records.length + rest.rejected.length > 0) yield rest;
  }
}

/**
 * Identifies the rows by the content of the file, and checks that it has not changed since the first lines were taken.
 * Rows of a beginning that was taken before, alone or of a longer file, keep the ids that they had there.
 */
async function identify(
  { db }: Ctx,
  { feed, file, key, leaseToken, claimed, signal }: HeldFile,
  sizes: FeedSizes | undefined,
): Promise<RowId> {
  if (!needsHash(feed.mapping)) return () => '';
  const { begunAt } = claimed;
  const content = await hashContent(
    {
      path: file.path,
      headLines: feed.mapping.format === 'csv' ? 2 : 1,
      bytesMax: sizes?.bytesMax,
      linesMax: sizes?.linesMax,
      signal,
    },
    {
      listParts: (head) => listParts(db, head, begunAt),
      findWhole: (head, at) => findWhole(db, head, begunAt, at),
      async keepMarks(pieces) {
        if (pieces.length > 0) await keepMarks(db, key, pieces);
      },
    },
  ).catch((error: unknown) => {
    throw isBadGzip(error) ? new BadFile('is not valid gzip') : error;
  });
  if (claimed.contentHash !== null && claimed.contentHash !== content.hash)
    throw new BadFile('has changed since its first lines were taken');
  if (claimed.contentHash === null) await noteContent(db, key, leaseToken, content);
  return content.idOf;
}

/** Stores the progress of a file after each batch, while the next one is being written. */
function progressNoter({ db }: Ctx, { key, leaseToken }: HeldFile) {
  let noting: Promise<void> = Promise.resolve();
  const note = async (progress: FileProgress) => {
    if (!(await noteProgress(db, key, leaseToken, progress))) throw new FileLost();
  };
  return {
    /** Resolves when the previous progress is stored. */
    async next(progress: FileProgress): Promise<void> {
      await noting;
      noting = note(progress);
      // It is awaited with the next one or at the end; until then a failure must not end the process.
      noting.catch(() => {});
    },
    ended: () => noting,
  };
}

/**
 * Takes the rows of a file from where work on it ended. Progress is stored after each batch is committed: if the
 * process is killed in between, that batch is fed again and its records are duplicates. Throws `BadFile` if the file
 * itself is the reason why it cannot continue.
 */
export async function takeFile(
  ctx: Ctx,
  held: HeldFile,
  policy: FeedPolicy,
  onProgress: (progress: FileProgress) => void,
): Promise<FileProgress> {
  const { feed, file, claimed } = held;
  const { sizes } = policy.share;
  const idOf = await identify(ctx, held, sizes);
  const rejects = await openRejectFile(rejectPathOf(feed, file), claimed.rejectBytes);
  const noter = progressNoter(ctx, held);
  let progress: FileProgress = claimed;
  try {
    const taken = await takeUsageBatches(
      ctx,
      batchesOf(held, idOf, sizes),
      policy,
      feed.source,
      async (batch) => {
        progress = {
          lines: batch.line,
          accepted: progress.accepted + (batch.counts.accepted ?? 0),
          duplicates: progress.duplicates + (batch.counts.duplicates ?? 0),
          rejected: progress.rejected + batch.rejected.length,
          rejectBytes: await rejects.add(batch.rejected),
        };
        await noter.next(progress);
        onProgress(progress);
      },
    );
    if (taken.brokenBecause !== undefined) throw new BadFile(taken.brokenBecause);
    if (!(await isUnchanged(file))) throw new FileChanged('has changed while it was read');
    return progress;
  } catch (error) {
    throw error instanceof FeedInterrupted ? error.cause : error;
  } finally {
    await noter.ended().finally(rejects.close);
  }
}
