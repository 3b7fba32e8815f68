import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { placesOf } from '../completion.ts';
import { build } from './build.ts';
import { runCli } from './run-cli.ts';

const places = placesOf(await build());

describe('help', () => {
  it('is there for every command by --help, -h and help, with an example, and does nothing else', async () => {
    for (const { path, isGroup } of places) {
      const words = path.split(' ').filter(Boolean);
      const [long, short, before] = await Promise.all([
        runCli([...words, '--help']),
        runCli([...words, '-h']),
        runCli(['help', ...words.slice(0, 1)]),
      ]);
      assert.deepEqual([long.code, long.err, short], [0, '', long], path);
      assert.ok(long.out.startsWith(`Usage: linekeeper ${path}`.trim()), path);
      if (!isGroup) assert.match(long.out, /^Examples?:\n {2}\$ .*linekeeper /m, path);
      assert.equal(before.code, 0, path);
    }
  });

  it('lists the commands in groups, those of the service and of its database among them', async () => {
    const { out } = await runCli(['--help']);
    const groups = out.split(/^(?=\S.*:$)/m).map((text) => text.trim().split('\n'));
    const inGroup = (title: string) =>
      groups.find(([first]) => first === `${title}:`)!.flatMap((line) => /^ {2}(\w+)/.exec(line)?.[1] ?? []);
    assert.deepEqual(inGroup('Running the service'), [
      'start',
      'exec',
      'backup',
      'restore',
      'shard',
      'health',
      'processes',
      'workers',
    ]);
    assert.deepEqual(inGroup('Sandbox'), [
      'clock',
      'snapshots',
      'reset',
      'faults',
      'simulator',
      'scenario',
      'network',
    ]);
    assert.match(out, /^Exit codes: 0 done, 1 refused/m);
  });
});
