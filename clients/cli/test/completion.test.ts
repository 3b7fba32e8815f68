import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { placesOf, SHELLS } from '../completion.ts';
import { build } from './build.ts';

const places = placesOf(await build());
const scripts = Object.fromEntries(Object.entries(SHELLS).map(([shell, write]) => [shell, write(places)]));
const isThere = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

describe('completion', () => {
  it('knows commands, options and what they may be, at every place', () => {
    const at = (path: string) =>
      places.find((place) => place.path === path)?.words.map(({ word }) => word) ?? [];
    assert.ok(['import', 'clock', '--profile', '--help'].every((word) => at('').includes(word)));
    assert.ok(['list', 'resend', '--json'].every((word) => at('callbacks').includes(word)));
    assert.ok(['--state', 'delivered', '--limit'].every((word) => at('callbacks list').includes(word)));
    assert.ok(at('trigger').includes('CarrierService'));
  });

  it('completes in bash', { skip: !isThere('bash') && 'there is no bash' }, () => {
    const complete = (...words: string[]) => {
      const list = ['linekeeper', ...words].map((word) => `'${word}'`).join(' ');
      const script = `${scripts['bash']}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length}; _linekeeper; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.trim().split('\n');
    };
    assert.deepEqual(complete('cloc'), ['clock']);
    assert.deepEqual(complete('clock', 'a'), ['advance']);
    assert.deepEqual(complete('--json', 'callbacks', 'list', '--st'), ['--state']);
    assert.deepEqual(
      complete('network', 'set', ''),
      places.find(({ path }) => path === 'network set')!.words.map(({ word }) => word),
    );
  });

  for (const shell of ['bash', 'zsh', 'fish'])
    it(`is a script that ${shell} can read`, { skip: !isThere(shell) && `there is no ${shell}` }, () => {
      const { status, stderr } = spawnSync(shell, ['-n'], { input: scripts[shell], encoding: 'utf8' });
      assert.deepEqual([status, stderr], [0, '']);
    });
});
