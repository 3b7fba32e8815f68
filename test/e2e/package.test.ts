import assert from 'node:assert/strict';
import { cpSync, existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { before, describe, it, type TestContext } from 'node:test';
import {
  dataDir,
  home,
  type Nodes,
  npmInstall,
  optionsWith,
  packAndInstall,
  run,
  startWithNpx,
} from '../support/installed-package.ts';
import { linksIn } from '../support/links.ts';
import { compileUser } from '../support/package-user.ts';
import { removeDataDir } from '../support/service-process.ts';

const SIZE_MAX_MB = 130;
const BIN = join(home, 'node_modules/.bin/linekeeper');

describe('the npm package', () => {
  let nodes: Nodes;
  let unreachable: string | undefined;
  // Outside the tests, because its duration depends on the registry and the disk.
  before(async () => {
    const installed = await packAndInstall();
    if ('unreachable' in installed) unreachable = installed.unreachable;
    else nodes = installed.nodes;
  });
  /** A test that needs packages from the registry. */
  const itInstalled = (name: string, test: (t: TestContext) => Promise<void> | void) =>
    it(name, (t) => (unreachable === undefined ? test(t) : t.skip(unreachable)));

  itInstalled(
    'contains only what it needs to run: 130 MB on Linux with the database, without Node',
    async (t) => {
      const { stdout } = await run('du', ['-sk', join(home, 'node_modules')]);
      const megabytes = (Number.parseInt(stdout, 10) * 1_024) / 1_000_000;
      t.diagnostic(`${megabytes.toFixed(1)} MB`);
      if (process.platform === 'linux') assert.ok(megabytes <= SIZE_MAX_MB, `${megabytes} MB`);
      for (const name of ['node', 'vite', 'react', 'typescript', '@opentelemetry/sdk-trace', '@types/node'])
        assert.ok(!existsSync(join(home, 'node_modules', name)), name);
    },
  );

  itInstalled('has types for strict TypeScript as a module and in CommonJS, without others', async () =>
    assert.equal(await compileUser(home), ''),
  );

  for (const which of ['oldest', 'current'] as const)
    itInstalled(
      `starts the sandbox with npx in an empty folder, serves console, command line and client, and stops: on the ${which} Node`,
      async (t) => {
        const options = optionsWith(nodes[which]);
        t.diagnostic(`Node ${(await run('node', ['-v'], options)).stdout.trim()}`);
        const cli = (...words: string[]) => run(BIN, words, options);
        removeDataDir(dataDir);
        const service = await startWithNpx(t, options);
        assert.match(service.output(), /demo/i);
        assert.equal((await fetch(new URL('/health/ready', service.url))).status, 200);
        const page = await fetch(new URL('/', service.url));
        assert.match(await page.text(), /<script type="module"/);
        assert.equal((await fetch(new URL('/docs/', service.url))).status, 200);
        const accounts = JSON.parse((await cli('accounts', 'list', '--json')).stdout);
        for (const program of ['module.mjs', 'common.cjs'])
          assert.deepEqual(await runUser(program, service.url, options), {
            accounts: accounts.map(({ accountName }: { accountName: string }) => accountName),
            ...{ status: 200, type: 'application/json; charset=utf-8', plans: true, refused: 'refused' },
            ...{ named: ['Linekeeper', 'Linekeeper callbacks'], heard: 'unsigned' },
          });
        const samples = await cli('trigger');
        assert.match(samples.stdout, /AlertService/);
        // The clock waits for the fleet, which is a separate process.
        await cli('clock', 'advance', 'PT1H');
        const fleet = await cli('simulator', '--json');
        assert.equal(JSON.parse(fleet.stdout).running, true);
        assert.equal(await playStory(cli), 'passed');
        await service.interrupt();
        assert.match(service.output(), /"msg":"stopping"/);
        assert.doesNotMatch(service.output(), /"level":"(warn|error)"|Warning/);
        assert.ok(!existsSync(join(dataDir, 'pgdata/postmaster.pid')));
      },
    );

  for (const which of ['oldest', 'current'] as const)
    itInstalled(`starts a sandbox from a test: on the ${which} Node`, async () => {
      const file = join(home, 'lines.test.mjs');
      cpSync(join(home, 'node_modules/linekeeper/examples/node-test/lines.test.js'), file);
      const { stdout, stderr } = await run('node', ['--test', file], optionsWith(nodes[which]));
      assert.match(stdout, /\bpass 1\b/);
      assert.equal(stderr, '');
    });

  /** A separate program plays it; returns how it ended. */
  async function playStory(cli: (...words: string[]) => Promise<{ stdout: string }>): Promise<string> {
    const call = async (...words: string[]) => JSON.parse((await cli('call', ...words, '--json')).stdout);
    const runs = '/operator/v1/scenarios/runs';
    const text = 'name: mine\nsummary: A story\nfleet: {}\nsteps:\n  - say: Hello\n';
    const { runId } = await call('POST', runs, '--body', JSON.stringify({ text }));
    for (;;) {
      const all: { runId: string; state: string }[] = await call('GET', runs);
      const { state } = all.find((one) => one.runId === runId)!;
      if (state !== 'running') return state;
    }
  }

  async function runUser(program: string, url: string, options: ReturnType<typeof optionsWith>) {
    const key = readFileSync(join(dataDir, 'operator-key'), 'utf8').trim();
    const code = `import(process.argv[1]).then(({ use }) => use(...process.argv.slice(2)))
      .then((used) => console.log(JSON.stringify(used)))`;
    const file = join(home, 'user', program);
    const { stdout, stderr } = await run('node', ['-e', code, file, url, key], options);
    assert.equal(stderr, '');
    return JSON.parse(stdout);
  }

  itInstalled('refuses an older Node in one sentence', async () => {
    const refused = await run(BIN, [], optionsWith(nodes.tooOld)).catch((error) => error);
    assert.deepEqual(
      [refused.code, refused.stdout, refused.stderr],
      [1, '', 'linekeeper: It needs Node 22.13 or newer; this is Node 20.19.0.\n'],
    );
  });

  itInstalled('is told from a checkout, which needs another Node and says so where it has none', async () => {
    const checkout = join(home, 'checkout');
    for (const file of ['bin/linekeeper.js', 'package.json', 'clients/cli/main.ts'])
      cpSync(file, join(checkout, file));
    const program = join(checkout, 'bin/linekeeper.js');
    const refused = await run('node', [program], optionsWith(nodes.tooOld)).catch((error) => error);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /^linekeeper: A checkout needs Node 24 or newer, or .+; this is Node 20\.19\.0\.\n$/,
    );
  });

  itInstalled('says what to install for traces, and sends them with it', async (t) => {
    const options = optionsWith(nodes.oldest, { OTEL_TRACES_EXPORTER: 'console', LINEKEEPER_DEMO: 'off' });
    const refused = await run(BIN, [], options).catch((error) => error);
    assert.equal(refused.code, 2);
    const [, packages] =
      /^linekeeper: Traces need packages .*: run npm install (.+) in the folder .+\.\n$/.exec(
        refused.stderr,
      )!;
    await npmInstall(home, ...packages!.split(' '));
    const service = await startWithNpx(t, options);
    await fetch(`${service.url}/ts/v1/oauth2/token`, { method: 'POST' });
    await service.interrupt();
    assert.match(service.output(), /name: 'POST \/api\/ts\/v1\/oauth2\/token'/);
  });
});

describe('the contents of the npm package', () => {
  const unpacked = join(home, 'package');
  let files: string[];
  before(async () => {
    await run('tar', ['-xzf', globSync('linekeeper-*.tgz', { cwd: home })[0]!], { cwd: home });
    files = globSync('**/*', { cwd: unpacked });
  });
  const read = (file: string) => readFileSync(join(unpacked, file), 'utf8');

  it('are without sources, tests except the examples, and development files', () =>
    assert.deepEqual(
      files.filter(
        (file) =>
          !file.startsWith('examples/') &&
          /(?<!\.d)\.ts$|(^|\/)(test|bench|generate)(\/|$)|\.test\.|tsconfig/.test(file),
      ),
      [],
    ));

  it('have source maps that show the place of an error if Node uses them', async () => {
    const use = `import('./dist/clients/sdk/index.js').then(({ createOperatorClient: open }) =>
      open({ baseUrl: 'http://localhost', operatorKey: 'x' }).call('GET /operator/v1/jobs/{id}', { path: { id: '..' } }))`;
    const said = await run(process.execPath, ['--enable-source-maps', '-e', use], { cwd: unpacked }).catch(
      ({ stderr }) => stderr as string,
    );
    const [, file, line] = /(clients\/sdk\/caller\.ts):(\d+)/.exec(said as string)!;
    const source = readFileSync(file!, 'utf8').split('\n');
    assert.match(source[Number(line) - 1]!, /throw new LinekeeperError\('invalid'/);
  });

  it('are as strict in programs as in modules', () => {
    const scripts = files.filter((file) => file.endsWith('.cjs'));
    assert.ok(scripts.length > 30);
    assert.deepEqual(
      scripts.filter((file) => !read(file).startsWith('"use strict";')),
      [],
    );
  });

  it('have the licences of bundled packages, and name them for scanners', () => {
    const { bomFormat, components } = JSON.parse(read('dist/bundled.cdx.json'));
    assert.equal(bomFormat, 'CycloneDX');
    const { version } = JSON.parse(readFileSync('node_modules/pg/package.json', 'utf8'));
    const purl = `pkg:npm/pg@${version}`;
    assert.deepEqual(
      components.filter(({ name }: { name: string }) => name === 'pg'),
      [{ type: 'library', 'bom-ref': purl, name: 'pg', version, purl, licenses: [{ expression: 'MIT' }] }],
    );
    const notices = read('dist/licences.txt').split(`\n${'-'.repeat(80)}\n\n`);
    assert.deepEqual(
      notices.map((notice) => notice.split('\n', 1)[0]),
      components.map(({ name, version }: { name: string; version: string }) => `${name} ${version}`),
    );
    for (const notice of notices) assert.match(notice, /copyright|licen[cs]e/i);
  });

  it('have every file that another imports, and every one that is exported', () => {
    const built = files.filter((file) => /^dist\/(?!clients\/console).*\.(c?js|d\.ts)$/.test(file));
    const imported = /(?:\bfrom|\bimport|\bimport\()\s*['"](\.[^'"\n]+)['"]/g;
    const required = /\brequire\("(\.[^"\n]+\.cjs)"\)/g;
    const missing = built.flatMap((file) =>
      [...read(file).matchAll(file.endsWith('.cjs') ? required : imported)]
        .map(([, to]) => normalize(join(dirname(file), to!)))
        .filter((to) => !files.includes(file.endsWith('.d.ts') ? to.replace(/js$/, 'd.ts') : to))
        .map((to) => `${file}: ${to}`),
    );
    assert.ok(built.length > 50);
    assert.deepEqual(missing, []);
    const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, object | string> };
    const exported = Object.values(exports).flatMap((entry) =>
      typeof entry === 'string' ? [entry] : Object.values(entry),
    );
    assert.deepEqual(
      exported.filter((file: string) => !files.includes(file.replace('./', ''))),
      [],
    );
  });

  it('have every file that code finds by its own place, such as a program that it starts', () => {
    const byPlace =
      /new URL\(\s*(['`])(\.\.?\/[^'`$]+)(\$\{(?:extname\(import\.meta\.url\)|EXTENSION)\})?\1/g;
    const wanted = globSync('{src,clients/{cli,sdk,simulator,testing}}/**/*.ts')
      .filter((file) => !/\.test\.ts$|\/(test|generate)\//.test(file))
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(byPlace)].map(([, , path, isProgram]) =>
          join('dist', dirname(file), `${path}${isProgram ? '.js' : ''}`),
        ),
      );
    for (const found of ['dist/clients/simulator/scenarios/main.js', 'dist/examples.json'])
      assert.ok(wanted.includes(found), found);
    assert.deepEqual(
      wanted.filter((path) => !existsSync(join(unpacked, path))),
      [],
    );
  });

  it('have everything the README links to, and everything except code that other pages link to', () => {
    const broken = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((page) =>
        linksIn(read(page))
          .map((link) => normalize(join(dirname(page), link.split('#')[0] || '.')))
          .filter((target) => !existsSync(join(unpacked, target)))
          .filter((target) => page === 'README.md' || !/^(src|test|embedded-postgres)\//.test(target))
          .map((target) => `${page}: ${target}`),
      );
    assert.ok(linksIn(read('README.md')).length > 20);
    assert.deepEqual(broken, []);
  });
});
