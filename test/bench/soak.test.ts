import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'linekeeper-soak-'));
after(() => rmSync(folder, { recursive: true, force: true }));

describe('npm run soak', () => {
  it('runs the service under every kind of call without an error, row by row, and draws what it measured', async () => {
    const plot = join(folder, 'soak.svg');
    const options = ['--minutes', '0.15', '--every', '3', '--plot', plot];
    const { stdout } = await run(process.execPath, ['bench/soak.ts', ...options]);
    const [head = '', ...rows] = stdout.split('\n');
    assert.deepEqual(
      rows.slice(0, 3).map((row) => row.trim().split(' ')[0]),
      ['1', '2', '3'],
    );
    const [, firings] = /(\d+) firings/.exec(stdout) ?? [];
    assert.ok(Number(firings) > 0, stdout);
    assert.match(stdout, /Nothing can be said about growth/);
    assert.equal(
      readFileSync(plot, 'utf8').match(/<polyline/g)?.length,
      head.trim().split(/ {2,}/).length - 1,
    );
  });

  it('tells how it is used, also where it was given what it cannot take', async () => {
    const { stderr } = await run(process.execPath, ['bench/soak.ts', '--help']);
    assert.match(stderr, /--minutes N/);
    for (const options of [[], ['--minutes', '0'], ['--minutes', '9999'], ['--hours', '1']])
      await assert.rejects(run(process.execPath, ['bench/soak.ts', ...options]), { code: 2 });
  });
});
