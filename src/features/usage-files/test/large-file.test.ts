import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BAD_ROW, BLANK_PIECES, PIECE_BYTES, ROWS, writeLargeFile } from './large-file.ts';

const READER = fileURLToPath(new URL('./read-large-file.ts', import.meta.url));
/** As in `npm start`, with a smaller heap. */
const MEMORY = ['--max-old-space-size=96', '--max-semi-space-size=16'];
const RESIDENT_MAX_MB = 400;

const folder = await mkdtemp(join(tmpdir(), 'linekeeper-large-'));
after(() => rm(folder, { recursive: true, force: true }));

it('a file larger than memory is read with little memory, and one bad line among hundreds of thousands and one endless line are reported', async () => {
  const path = join(folder, 'large.csv.gz');
  const { bytes: size, hash } = await writeLargeFile(path);
  assert.ok(size > RESIDENT_MAX_MB * 1e6, `${size}`);
  assert.ok((await stat(path)).size < size / 10);
  const { stdout } = await promisify(execFile)(process.execPath, [...MEMORY, READER, path], {
    timeout: 240_000,
  });
  const { residentMb, ...read } = JSON.parse(stdout);
  assert.ok(residentMb < RESIDENT_MAX_MB, `it took ${residentMb} MB`);
  assert.deepEqual(read, {
    hash,
    records: ROWS - 1,
    bytes: (ROWS * (ROWS + 1)) / 2 - BAD_ROW,
    largest: 5_000,
    rejected: [
      { line: BAD_ROW + 1, reason: 'BYTES is not a number of B: x' },
      { line: ROWS + 2 + BLANK_PIECES * PIECE_BYTES, reason: 'is longer than a record may be' },
    ],
  });
});
