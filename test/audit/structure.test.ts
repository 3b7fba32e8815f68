import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';
import { BESIDE_SRC, code, nameOf, pathOf, sources } from './code-files.ts';
import {
  BANNED_NAMES,
  BANNED_WORDS,
  FEATURES,
  FILES_PER_FEATURE_MAX,
  FILES_PER_FOLDER_MAX,
  LAYERS,
  LINES_MAX,
  PLUGS,
  README_LINES_MAX,
  REAL_TIME_FILES,
} from './rules.ts';

const text = new Map(sources.map((file) => [file, readFileSync(pathOf(file), 'utf8')]));
const IMPORT = /^(?:import|export)\b[^;'"]*?['"](\.[^'"]+)['"]/gm;
const LOADED = /\bimport\(\s*'(\.[^']+)'/g;
const clients = globSync('clients/**/*.{ts,tsx}', { exclude: ['**/dist*/**'] });
const imports = new Map(
  code.map((file) => [
    file,
    [...text.get(file)!.matchAll(IMPORT)].map(([, to]) =>
      nameOf(normalize(join(dirname(pathOf(file)), to!))),
    ),
  ]),
);

const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').length - 1;
const layer = (file: string) => LAYERS.indexOf(file.split('/')[0] as (typeof LAYERS)[number]);
const feature = (file: string) => (file.startsWith('features/') ? file.split('/')[1]! : undefined);
const rank = (name: string) => FEATURES.indexOf(name as (typeof FEATURES)[number]);

function edgeFault(from: string, to: string): string | undefined {
  if (to === 'package.json') return undefined;
  if (BESIDE_SRC.includes(from.split('/')[0]!) && from.split('/')[0] !== to.split('/')[0])
    return 'stands alone';
  if (layer(from) < 0 || layer(to) < 0) return 'is in no known layer';
  if (layer(to) > layer(from)) return 'imports a higher layer';
  const [source, target] = [feature(from), feature(to)];
  if (target === undefined) return undefined;
  if (source === target) return to.endsWith('/index.ts') ? 'imports its own index.ts' : undefined;
  const doors = layer(from) > layer(to) ? PLUGS : ['index.ts'];
  if (!doors.some((door) => to === `features/${target}/${door}`)) return 'reaches past the front door';
  return source !== undefined && rank(target) >= rank(source) ? 'imports a later feature' : undefined;
}

/** Imports of the service and its clients, including late ones and types. */
const reached = new Map(
  [...code.map(pathOf), ...clients].map((path) => {
    const source = readFileSync(path, 'utf8');
    return [
      path,
      [...source.matchAll(IMPORT), ...source.matchAll(LOADED)].map(([, to]) =>
        normalize(join(dirname(path), to!)),
      ),
    ];
  }),
);

function cycles(): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) return void found.push([...path.slice(path.indexOf(file)), file].join(' > '));
    if (done.has(file)) return;
    for (const next of reached.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of reached.keys()) visit(file, []);
  return found;
}

describe('structure', () => {
  it('every import points down, and into a feature only through its front door', () => {
    const faults = [...imports].flatMap(([from, targets]) =>
      targets.flatMap((to) => (edgeFault(from, to) ? [`${from} ${edgeFault(from, to)}: ${to}`] : [])),
    );
    assert.ok(imports.size > 50);
    assert.deepEqual(faults, []);
  });

  it('no file imports itself by way of others, clients and types included', () =>
    assert.deepEqual(cycles(), []));

  it(`no file has more than ${LINES_MAX} lines, tests and clients included`, () => {
    const written = globSync(['{src,test,bench,deploy,demo,embedded-postgres,clients}/**/*.{ts,tsx,css}'], {
      exclude: ['**/node_modules/**', '**/dist/**', 'clients/sdk/{routes,payloads}.ts'],
    });
    assert.ok(written.length > 1_500);
    assert.deepEqual(
      written.filter((path) => linesOf(path) > LINES_MAX),
      [],
    );
    assert.ok(linesOf('README.md') <= README_LINES_MAX, 'README.md is for the first five minutes');
  });

  it('no file has a vague name such as utils', () =>
    assert.deepEqual(
      sources.filter((file) => BANNED_NAMES.test(file.split('/').at(-1)!)),
      [],
    ));

  it('no exported name has a word that docs/glossary.md replaces', () => {
    const spaced = (name: string) => name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
    const names = code.flatMap((file) =>
      [...text.get(file)!.matchAll(/^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm)].map(
        ([, name]) => `${file}: ${name}`,
      ),
    );
    assert.ok(names.length > 1_000);
    assert.deepEqual(
      names.filter((name) => BANNED_WORDS.test(spaced(name.split(': ')[1]!))),
      [],
    );
  });

  it('every feature is in the order, says in one README line what it owns, and stays small', () => {
    const folders = readdirSync('src/features');
    assert.deepEqual([...folders].sort(), [...FEATURES].sort());
    for (const name of folders) {
      const readme = join('src/features', name, 'README.md');
      assert.ok(existsSync(readme) && readFileSync(readme, 'utf8').startsWith('Owns '), `${name}: README.md`);
      const own = code.filter((file) => feature(file) === name);
      assert.ok(
        readdirSync(join('src/features', name)).length <= FILES_PER_FOLDER_MAX &&
          own.length <= FILES_PER_FEATURE_MAX,
        `${name}: too many files`,
      );
    }
  });

  it('docs/architecture.md names the features in their order, the adapters, the clients and the audits', () => {
    const page = readFileSync('docs/architecture.md', 'utf8').replaceAll(/\s+/g, ' ');
    const audits = readdirSync('test/audit').filter((file) => file.endsWith('.test.ts'));
    const names = [
      FEATURES.join(', '),
      ...readdirSync('src/adapters'),
      ...readdirSync('clients').map((name) => `${name} (`),
      ...audits.map((file) => `\`${file}\``),
    ];
    assert.deepEqual(
      names.filter((name) => !page.includes(name)),
      [],
    );
  });

  it('features take domain time from the clock: no new Date() of now, no Date.now(), no now() in SQL', () => {
    const readsRealTime = (source: string) => {
      const statements = [...source.replaceAll(/\$\{[^}]*\}/g, '').matchAll(/sql`([^`]*)`/g)].map(
        ([, body]) => body!,
      );
      return (
        /new Date\(\)|Date\.now\(\)/.test(source) ||
        statements.some((body) => /\b(now|\w+_timestamp)\(\)/.test(body))
      );
    };
    assert.deepEqual(
      code.filter((file) => !REAL_TIME_FILES.test(file) && readsRealTime(text.get(file)!)),
      [],
    );
  });

  it('clients import nothing from src', () => {
    const offenders = clients.filter((file) => /from '(\.\.\/)+src\//.test(readFileSync(file, 'utf8')));
    assert.deepEqual(offenders, []);
  });

  it('the console calls the service only through the typed client', () => {
    const root = 'clients/console/src';
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.tsx?$/.test(file),
    );
    // The client does not support server-sent events.
    const allowed = ['api/live.ts'];
    const calling = files.filter((file) =>
      /(?<![.\w])fetch\(|EventSource\(|XMLHttpRequest/.test(readFileSync(join(root, file), 'utf8')),
    );
    assert.deepEqual(calling.sort(), allowed);
  });
});
