import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const START = pathToFileURL(resolve('deploy/programs/start-program.ts')).href;
const STARTER = `import { startProgram } from '${START}';
startProgram(new URL('./main.cjs', import.meta.url));
`;
const PART = "exports.partly = () => 'part';\nexports.rarely = () => 'rare';\n";
/** As many functions as make the difference between two runs large. */
const MANY = Array.from({ length: 500 }, (_, nr) => `() => [${nr}, 'many', Math.max(1, ${nr})].join()`);
const MAIN = `const { partly, rarely } = require('./parts/part.cjs');
const many = [${MANY.join(',\n')}];
const wordOf = (word) => ({
  some: () => partly(),
  more: () => many.map((each) => each()).length + rarely(),
  long: () => { process.uptime = () => 3_600; return rarely(); },
  fail: () => { throw new Error('as asked'); },
})[word]();
console.log(wordOf(process.argv[2]));
`;

interface Ran {
  readonly said: string;
  /** The functions of the program that V8 compiled. */
  readonly compiled: readonly string[];
}

function makeProgram(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'linekeeper-program-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const cache = join(folder, 'cache');
  const program = join(folder, 'program/main.cjs');
  const starter = join(folder, 'program/main.js');
  mkdirSync(join(folder, 'program/parts'), { recursive: true });
  writeFileSync(program, MAIN);
  writeFileSync(starter, STARTER);
  writeFileSync(join(folder, 'program/parts/part.cjs'), PART);
  const log = join(folder, 'v8.log');
  async function run(word: string, env: NodeJS.ProcessEnv = {}, file = starter): Promise<Ran> {
    rmSync(log, { force: true });
    const flags = ['--log-function-events', `--logfile=${log}`, '--no-logfile-per-isolate'];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...flags, file, word], {
      env: { ...process.env, NODE_COMPILE_CACHE: cache, ...env },
    }).catch((error: { stdout: string; stderr: string }) => error);
    const events = readFileSync(log, 'utf8').matchAll(
      /^function,interpreter,.*,(?:exports\.)?(partly|rarely|wordOf)$/gm,
    );
    return { said: `${stdout}${stderr}`, compiled: [...events].map(([, name]) => name!) };
  }
  const savedFiles = () =>
    readdirSync(cache, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes('linekeeper-'))
      .map((name) => join(cache, name));
  return { folder, program, run, savedFiles };
}

describe('a program of the package', () => {
  it('does not compile a function again that an earlier run has compiled', async (t) => {
    const { run } = makeProgram(t);
    assert.deepEqual(await run('some'), { said: 'part\n', compiled: ['wordOf', 'partly'] });
    assert.deepEqual(await run('some'), { said: 'part\n', compiled: [] });
  });

  it('adds what a later run compiles, if that is much', async (t) => {
    const { run, savedFiles } = makeProgram(t);
    await run('some');
    const [saved] = savedFiles();
    const { ino } = statSync(saved!);
    await run('some');
    assert.equal(statSync(saved!).ino, ino);
    assert.deepEqual((await run('more')).compiled, ['rarely']);
    assert.deepEqual(await run('more'), { said: '500rare\n', compiled: [] });
    assert.deepEqual(await run('some'), { said: 'part\n', compiled: [] });
    assert.deepEqual(savedFiles(), [saved]);
  });

  it('saves what a long run has compiled only if nothing is saved yet, and a short one adds the rest', async (t) => {
    const { run, savedFiles } = makeProgram(t);
    await run('long');
    const inode = () => statSync(savedFiles()[0]!).ino;
    const ofLong = inode();
    assert.deepEqual(await run('long'), { said: 'rare\n', compiled: [] });
    assert.equal(inode(), ofLong);
    assert.deepEqual((await run('some')).compiled, ['partly']);
    assert.deepEqual((await run('some')).compiled, []);
  });

  it('runs its new code after a change, even of the same length', async (t) => {
    const { program, run } = makeProgram(t);
    await run('some');
    writeFileSync(join(dirname(program), 'parts/part.cjs'), PART.replace("'part'", "'pert'"));
    assert.deepEqual(await run('some'), { said: 'pert\n', compiled: ['partly'] });
    writeFileSync(program, MAIN.replace('partly()', "'main'  "));
    assert.equal((await run('some')).said, 'main\n');
  });

  it('shares what is compiled with its copies, but not their places', async (t) => {
    const { folder, run, savedFiles } = makeProgram(t);
    await run('some');
    const copy = join(folder, 'copy');
    cpSync(join(folder, 'program'), copy, { recursive: true });
    const { said, compiled } = await run('fail', {}, join(copy, 'main.js'));
    assert.deepEqual(compiled, []);
    assert.match(said, new RegExp(`Error: as asked\\n +at .*\\(${copy}/main\\.cjs:506:`));
    assert.equal(savedFiles().length, 1);
  });

  for (const [what, damage] of [
    ['damaged', (content: Buffer) => content.fill('x', 1_000, 1_100)],
    ['cut off', (content: Buffer) => content.subarray(0, 10_000)],
    ['empty', () => Buffer.alloc(0)],
  ] as const)
    it(`ignores and replaces a file that is ${what}`, async (t) => {
      const { run, savedFiles } = makeProgram(t);
      await run('some');
      const [saved] = savedFiles();
      writeFileSync(saved!, damage(readFileSync(saved!)));
      assert.deepEqual(await run('some'), { said: 'part\n', compiled: ['wordOf', 'partly'] });
      assert.deepEqual((await run('some')).compiled, []);
    });

  it('runs where its compiled code cannot be saved, and leaves nothing there', async (t) => {
    const { run, savedFiles } = makeProgram(t);
    await run('some');
    const [saved] = savedFiles();
    rmSync(saved!);
    // No file can replace a folder.
    mkdirSync(join(saved!, 'folder'), { recursive: true });
    for (let nth = 0; nth < 2; nth++)
      assert.deepEqual(await run('some'), { said: 'part\n', compiled: ['wordOf', 'partly'] });
    assert.deepEqual(savedFiles(), [saved, join(saved!, 'folder')]);
  });

  it('is run by Node alone without a cache, and with source maps', async (t) => {
    const { run, savedFiles } = makeProgram(t);
    for (const env of [{ NODE_DISABLE_COMPILE_CACHE: '1' }, { NODE_OPTIONS: '--enable-source-maps' }]) {
      assert.equal((await run('some', env)).said, 'part\n');
      assert.match((await run('fail', env)).said, /main\.cjs:506:/);
    }
    assert.deepEqual(savedFiles(), []);
  });
});
