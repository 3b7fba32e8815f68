import { randomUUID } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { realpath, rename, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Command } from 'commander';
import { brokenOff, Failure, wrongUsage } from '../failure.ts';
import { type Invocation, invocationOf } from '../invocation.ts';
import { inBytes } from '../plain-text.ts';
import { printOutcome } from '../print.ts';
import { describeTransfer, startProgress } from '../progress.ts';

const IDLE_SECONDS = 60;

/** Resolves a link to its file, so that the link is not replaced. */
async function targetOf({ around }: Invocation, file: string): Promise<string> {
  const path = resolve(around.cwd, file);
  const target = await realpath(path).catch(() => path);
  const found = await stat(target).catch(() => undefined);
  if (found !== undefined && !found.isFile()) throw wrongUsage(`${file} is not an ordinary file`);
  return target;
}

/** Writes to a temporary file next to the target and then renames it, so that the target is always complete. */
async function writeWhole(pieces: Readable, target: string, watch: (bytes: number) => void): Promise<number> {
  const temporary = `${target}.${randomUUID()}.part`;
  const remove = () => rmSync(temporary, { force: true });
  process.once('exit', remove);
  let bytes = 0;
  const counted = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      bytes += piece.length;
      watch(bytes);
      yield piece;
    }
  };
  const packed = target.endsWith('.gz') ? createGzip() : new PassThrough();
  try {
    await pipeline(pieces, counted, packed, createWriteStream(temporary, { flags: 'wx', flush: true }));
    await rename(temporary, target);
  } finally {
    remove();
    process.off('exit', remove);
  }
  return bytes;
}

async function save(invocation: Invocation, pieces: Readable, file: string): Promise<void> {
  const target = await targetOf(invocation, file);
  const progress = startProgress(invocation);
  const startedMs = performance.now();
  try {
    const bytes = await writeWhole(pieces, target, (received) =>
      progress.show(describeTransfer(received, undefined, startedMs)),
    );
    progress.stop();
    printOutcome(invocation, { file: target, bytes }, `Wrote a document of ${inBytes(bytes)} to ${file}.`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof Failure) throw error;
    if (code === 'ECONNRESET') throw new Failure('unreachable', brokenOff(error as Error));
    throw wrongUsage(`Cannot write ${file}: ${message}`);
  } finally {
    progress.stop();
  }
}

async function exportFleet(options: { account?: string; output?: string }, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const { output } = options;
  const transfer = { query: { accountName: options.account }, idleSeconds: IDLE_SECONDS };
  await invocation.api.transfer('GET /operator/v1/export', transfer, async ({ body }) => {
    const pieces = body === null ? Readable.from([]) : Readable.fromWeb(body);
    if (output !== undefined && output !== '-') await save(invocation, pieces, output);
    else await pipeline(pieces, invocation.around.stdout, { end: false });
  });
}

export function addExport(program: Command): void {
  program
    .command('export')
    .description(
      'Writes a fleet document of everything, or of one account, that you can import. It contains no passwords or secrets.',
    )
    .option('--account <name>', 'only this account and its data')
    .option(
      '-o, --output <file>',
      'write to this file, as gzip if its name ends with .gz; otherwise to standard output',
    )
    .addHelpText('after', '\nExample:\n  $ linekeeper export --account 0000123456-00001 -o account.json')
    .action(exportFleet);
}
