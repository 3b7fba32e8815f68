import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { wrongUsage } from '../failure.ts';
import { invocationOf } from '../invocation.ts';
import { readJsonBody } from '../operator-api.ts';
import { printOutcome } from '../print.ts';
import { describeTransfer, type Progress, startProgress } from '../progress.ts';

/** As long as the service itself lets one step of the merge take. */
const IDLE_SECONDS = 15 * 60;

interface Source {
  readonly stream: Readable;
  readonly totalBytes: number | undefined;
}

async function openSource(file: string): Promise<Source> {
  if (file === '-') return { stream: process.stdin, totalBytes: undefined };
  try {
    const stream = createReadStream(file);
    await once(stream, 'open');
    const found = await stat(file);
    if (found.isDirectory()) throw new Error('it is a folder');
    return { stream, totalBytes: found.isFile() ? found.size : undefined };
  } catch (error) {
    throw wrongUsage(`${file} cannot be read: ${(error as Error).message}`);
  }
}

const unreadable = (error: unknown) =>
  wrongUsage(`The document cannot be read to its end: ${(error as Error).message}`);

/** By its first bytes: a name may lie, and standard input has none. */
async function isGzip(stream: Readable): Promise<boolean> {
  await Promise.race([once(stream, 'readable'), once(stream, 'end')]).catch((error) => {
    throw unreadable(error);
  });
  const first = stream.read() as Buffer | null;
  if (first === null) return false;
  stream.unshift(first);
  return first[0] === 0x1f && first[1] === 0x8b;
}

/** The same bytes, counted as they go; nothing but the piece in hand is held. */
async function* watched({ stream, totalBytes }: Source, progress: Progress): AsyncGenerator<Buffer> {
  const startedMs = performance.now();
  let bytes = 0;
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      yield piece;
      bytes += piece.length;
      progress.show(describeTransfer(bytes, totalBytes, startedMs));
    }
  } catch (error) {
    throw unreadable(error);
  }
  progress.show(`${describeTransfer(bytes, undefined, startedMs)}  merging…`);
}

interface Imported {
  readonly counts: Readonly<Record<string, number>>;
}

async function importFile(file: string, _: object, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const { api } = invocation;
  const source = await openSource(file);
  const progress = startProgress(invocation);
  try {
    const encoding = (await isGzip(source.stream)) ? { 'Content-Encoding': 'gzip' } : {};
    const response = await api.transfer('/import', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...encoding },
      body: Readable.from(watched(source, progress), { objectMode: false }),
      idleSeconds: IDLE_SECONDS,
    });
    const answer = await readJsonBody<Imported>(response, api.url);
    progress.stop();
    const counts = Object.entries(answer.counts).map(([section, count]) => `${section}: ${count}`);
    printOutcome(invocation, answer, `Imported ${counts.join(', ') || 'an empty document'}.`);
  } finally {
    progress.stop();
    // Standard input that nobody reads any more would keep the process alive.
    source.stream.destroy();
  }
}

export function addImport(program: Command): void {
  program
    .command('import')
    .description(
      'Adds and updates what a fleet document holds (accounts, users, plans, devices, …), whole or not at all. ' +
        'The document is JSON, or JSON as gzip.',
    )
    .argument('<file>', 'the document; - reads standard input')
    .addHelpText('after', '\nExample:\n  $ linekeeper import fleet.json.gz')
    .action(importFile);
}
