import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { SEPARATE } from '../../deploy/bundle.ts';
import { TRACING_PACKAGES } from '../../src/platform/telemetry/tracing/open-tracing.ts';

type Names = Readonly<Record<string, string>>;
interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly license?: string;
  readonly deprecated?: string;
  readonly dev?: true;
  readonly integrity?: string;
  readonly hasInstallScript?: true;
  readonly dependencies?: Names;
}
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const own: Record<'dependencies' | 'optionalDependencies' | 'devDependencies' | 'allowScripts', Names> =
  read('package.json');
const lock: { packages: Record<string, Locked> } = read('package-lock.json');
const locked = Object.entries(lock.packages).filter(([path]) => path !== '');
const direct = { ...own.dependencies, ...own.optionalDependencies, ...own.devDependencies };

/** These require users and distributors only to keep the notice; MPL-2.0 also that changed files stay open. */
const ALLOWED = new Set([
  ...['MIT', 'MIT-0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'BlueOak-1.0.0'],
  ...['Unlicense', 'CC0-1.0', 'Zlib', 'Python-2.0', 'PostgreSQL'],
]);
/** Used to build or test the console. They are not installed with the package, and the build contains none of their code. */
const MPL = /(^|\/)(lightningcss(-[\w-]+)?|axe-core)$/;

/** The sources of the package: see deploy/bundle.ts. */
const SHIPPED = ['{src,demo,embedded-postgres}/**/*.ts', 'clients/{cli,sdk,simulator,testing}/**/*.ts'];
const NOT_SHIPPED = /\.test\.ts$|\/(test|generate)\//;
/** Leaves out types, and node:, which is not a package. */
const IMPORTED =
  /(?:^(?:import|export)\s+(?!type\b)(?:[^;'=]*?\sfrom\s+)?|\bimport\()'((?:@[\w.-]+\/)?\w[\w.-]*)(?:\/[^']*)?'/gm;

const traced = TRACING_PACKAGES.map((each) => each.slice(0, each.lastIndexOf('@')));
const loaded = new Set(
  globSync(SHIPPED)
    .filter((file) => !NOT_SHIPPED.test(file))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(IMPORTED)].map(([, name]) => name!)),
);

/** With everything they depend on, at all places of the tree. */
function shippedPackages(): Set<string> {
  const names = new Set(loaded);
  for (const name of names)
    for (const [path, { dependencies = {} }] of locked)
      if (path.endsWith(`node_modules/${name}`))
        for (const each of Object.keys(dependencies)) names.add(each);
  return names;
}

/** The installed package counts; the lock file has those for other platforms. */
function licenceOf(path: string, { license }: Locked): string {
  const file = `${path}/package.json`;
  return String((existsSync(file) ? read(file).license : undefined) ?? license);
}

/** `A OR B` needs one of them to be allowed, `A AND B` both. */
const isAllowed = (licence: string): boolean =>
  licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => ALLOWED.has(each)));

describe('dependencies', () => {
  it('are pinned to one version each, the one that is locked', () => {
    for (const [name, version] of Object.entries(direct)) {
      assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
      assert.equal(lock.packages[`node_modules/${name}`]?.version, version, name);
    }
  });

  it('are installed with the package where they are not part of its code, except for traces', () => {
    const separate = [...loaded].filter((name) => SEPARATE.test(name));
    assert.deepEqual(
      separate.filter((name) => !traced.includes(name)).sort(),
      Object.keys(own.dependencies).sort(),
    );
    const bundled = [...loaded].filter((name) => !SEPARATE.test(name));
    assert.ok(bundled.length > 10);
    assert.deepEqual(
      bundled.filter((name) => !(name in own.devDependencies)),
      [],
    );
  });

  it('for traces are named by the service in the tested versions', () => {
    const tested = Object.entries(own.devDependencies).filter(([name]) => name.startsWith('@opentelemetry/'));
    assert.deepEqual(tested.map((each) => each.join('@')).sort(), TRACING_PACKAGES.toSorted());
  });

  it('have a reason each in the decision about them', () => {
    const text = readFileSync('docs/decisions/0011-dependencies.md', 'utf8');
    const unexplained = Object.keys(direct).filter(
      (name) =>
        !text.includes(`\`${name}\``) && !text.includes(`\`${name.replace('@embedded-postgres/', '')}\``),
    );
    assert.deepEqual(unexplained, []);
  });

  it('and their own dependencies have licences that allow this use', () => {
    const others = locked
      .map(([path, entry]) => ({ path, dev: entry.dev, licence: licenceOf(path, entry) }))
      .filter(
        ({ path, dev, licence }) => !isAllowed(licence) && !(licence === 'MPL-2.0' && dev && MPL.test(path)),
      );
    assert.ok(locked.length > 100);
    assert.deepEqual(others, []);
  });

  it('are not deprecated where they are needed at run time', () => {
    const shipped = shippedPackages();
    assert.ok(shipped.size > loaded.size);
    const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    assert.deepEqual(
      locked
        .filter(([path, { deprecated }]) => deprecated !== undefined && shipped.has(nameOf(path)))
        .map(([path]) => path),
      [],
    );
  });

  it('are locked with their checksums and without a host', () => {
    assert.deepEqual(
      locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
      [],
    );
    assert.deepEqual(
      locked.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path),
      [],
    );
    assert.match(readFileSync('.npmrc', 'utf8'), /^omit-lockfile-registry-resolved=true$/m);
  });

  it('run installation scripts only if package.json allows it', () =>
    assert.deepEqual(
      locked
        .filter(([, { hasInstallScript }]) => hasInstallScript)
        .map(([path]) => path.slice('node_modules/'.length))
        .sort(),
      Object.keys(own.allowScripts).sort(),
    ));
});
