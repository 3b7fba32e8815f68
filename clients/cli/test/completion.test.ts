import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { placesOf, SHELLS } from '../completion.ts';
import { build } from './build.ts';

const places = placesOf(await build());
const scripts = Object.fromEntries(Object.entries(SHELLS).map(([shell, write]) => [shell, write(places)]));
const skipWithout = (shell: string) => ({
  skip: spawnSync(shell, ['-c', 'true']).status !== 0 && `there is no ${shell}`,
});
const folder = await mkdtemp(join(tmpdir(), 'linekeeper-completion-'));
after(() => rm(folder, { recursive: true }));

describe('completion', () => {
  it('knows commands, options and what they may be, at every place', () => {
    const at = (path: string) =>
      places.find((place) => place.path === path)?.words.map(({ word }) => word) ?? [];
    assert.ok(['import', 'clock', '--profile', '--help'].every((word) => at('').includes(word)));
    assert.ok(['list', 'resend', '--json'].every((word) => at('callbacks').includes(word)));
    assert.ok(['--state', 'delivered', '--limit'].every((word) => at('callbacks list').includes(word)));
    assert.ok(at('trigger').includes('CarrierService'));
  });

  it('completes in bash', skipWithout('bash'), () => {
    const complete = (...words: string[]) => {
      const list = ['linekeeper', ...words].map((word) => `'${word}'`).join(' ');
      const script = `${scripts['bash']}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length}; _linekeeper; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.trim().split('\n');
    };
    assert.deepEqual(complete('cloc'), ['clock']);
    assert.deepEqual(complete('clock', 'a'), ['advance']);
    assert.deepEqual(complete('start', '--data'), ['--data-dir']);
    assert.deepEqual(complete('exec', '--l'), ['--log']);
    assert.deepEqual(complete('--json', 'callbacks', 'list', '--st'), ['--state']);
    assert.deepEqual(
      complete('network', 'set', ''),
      places.find(({ path }) => path === 'network set')!.words.map(({ word }) => word),
    );
  });

  it('completes in zsh, read by a shell or as a file of its own', skipWithout('zsh'), async () => {
    const file = join(folder, '_linekeeper');
    await writeFile(file, scripts['zsh']!);
    const loads = [`source ${file}`, `fpath=(${folder} $fpath); autoload -Uz _linekeeper`];
    for (const load of loads) {
      const offered = (...words: string[]) => {
        // From these, zsh itself selects the ones that match the word at the cursor.
        const around = `compdef() { :; }; compadd() { print -l -- "\${@:2}"; }`;
        const script = `${around}; ${load}; words=(linekeeper ${words.join(' ')} ''); CURRENT=${words.length + 2}; _linekeeper`;
        const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', script], { encoding: 'utf8' });
        assert.equal(stderr, '');
        return stdout.trim().split('\n');
      };
      for (const [path, words] of [
        ['', []],
        ['clock', ['clock']],
        ['start', ['--json', 'start']],
        ['callbacks list', ['callbacks', '--json', 'list']],
      ] as const) {
        const known = places.find((place) => place.path === path)!.words.map(({ word }) => word);
        assert.deepEqual(offered(...words), [...new Set(known)]);
      }
    }
  });

  it('completes in fish', skipWithout('fish'), async () => {
    const file = join(folder, 'linekeeper.fish');
    await writeFile(file, scripts['fish']!);
    const complete = (line: string) => {
      const { stdout, stderr } = spawnSync(
        'fish',
        ['--no-config', '-c', `source ${file}; complete -C '${line}'`],
        {
          encoding: 'utf8',
          env: { ...process.env, HOME: folder },
        },
      );
      assert.equal(stderr, '');
      return stdout
        .trim()
        .split('\n')
        .map((found) => found.split('\t')[0]);
    };
    assert.deepEqual(complete('linekeeper cloc'), ['clock']);
    assert.deepEqual(complete('linekeeper clock a'), ['advance']);
    assert.deepEqual(complete('linekeeper --json callbacks list --st'), ['--state']);
    assert.deepEqual(complete('linekeeper start --data-'), ['--data-dir']);
  });

  it('is a script that bash can read', skipWithout('bash'), () => {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: scripts['bash'], encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, '']);
  });
});
