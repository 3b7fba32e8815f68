import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { cleanEnv } from '../../clients/cli/test/spawn-cli.ts';
import { makeProject, type Project } from '../support/package-project.ts';

/** Without this checkout's programs except its Node, and without the variables that the test runner sets. */
const PATH = process.env['PATH']!.split(delimiter).filter((path) => !path.includes('node_modules'));
const env = cleanEnv({ PATH: [dirname(process.execPath), ...PATH].join(delimiter) });
for (const name of Object.keys(env)) if (/^(NODE_|npm_)/.test(name)) delete env[name];
const LINEKEEPER = 'node_modules/.bin/linekeeper';

const lacks = (...words: [string, ...string[]]) =>
  spawnSync(words[0], words.slice(1)).status !== 0 && `NOT TESTED, there is no ${words.join(' ')}`;

describe('the examples', () => {
  let project: Project;
  before(async () => {
    project = await makeProject();
    for (const name of ['node-test', 'vitest', 'pytest', 'curl'])
      cpSync(join('examples', name), join(project.folder, name), { recursive: true });
    writeFileSync(join(project.folder, 'package.json'), '{ "type": "module" }\n');
    symlinkSync(resolve('node_modules/vitest'), join(project.folder, 'node_modules/vitest'));
  });
  after(() => project.remove());

  async function run(...words: string[]): Promise<{ code: unknown; output: string }> {
    const [file = '', ...args] = words;
    const child = spawn(file, args, { cwd: project.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [[code], out, err] = await Promise.all([
      once(child, 'close'),
      text(child.stdout),
      text(child.stderr),
    ]);
    return { code, output: `${out}${err}` };
  }
  async function passes(...words: string[]): Promise<string> {
    const { code, output } = await run(...words);
    assert.equal(code, 0, output);
    return output;
  }

  it('for the test runner of Node passes', async () => {
    assert.match(await passes('node', '--test', 'node-test/lines.test.js'), /\bpass 1\b/);
  });

  it('for Vitest passes', async () => {
    const output = await passes(process.execPath, 'node_modules/vitest/vitest.mjs', 'run', 'vitest/');
    assert.match(output, /1 passed/);
  });

  it('for pytest passes', { skip: lacks('python3', '-m', 'pytest', '--version') }, async () => {
    const pytest = ['python3', '-m', 'pytest', '-p', 'no:cacheprovider', 'pytest/'];
    assert.match(await passes(LINEKEEPER, 'exec', '--', ...pytest), /1 passed/);
  });

  it('for curl passes', { skip: lacks('curl', '--version') }, async () => {
    const output = await passes(LINEKEEPER, 'exec', '--', 'sh', 'curl/lines.sh');
    assert.match(output, /^The line was activated and reported\.$/m);
  });

  it('in docs/testing.md work as described', async () => {
    const blocks = readFileSync('docs/testing.md', 'utf8').matchAll(/^```js\n(.*?)^```$/gms);
    const program = [...blocks].map(([, code]) => code);
    assert.ok(program.length >= 6);
    writeFileSync(join(project.folder, 'testing.js'), program.join('\n'));
    assert.equal(await passes('node', 'testing.js'), '');
  });

  it('in the README has ten lines and passes', async () => {
    const [, code = ''] = /^```js\n(import .*?)^```$/ms.exec(readFileSync('README.md', 'utf8')) ?? [];
    assert.equal(code.match(/^ {2}\S/gm)?.length, 10, code);
    writeFileSync(join(project.folder, 'readme.test.js'), code);
    assert.match(await passes('node', '--test', 'readme.test.js'), /\bpass 1\b/);
  });
});
