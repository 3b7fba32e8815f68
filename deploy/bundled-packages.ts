import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the package that a module is part of; none for our own. */
const FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly notice: string;
}

/** A few small packages name their licence only in the readme. */
function noticeIn(folder: string): string | undefined {
  const files = ['{LICENSE,LICENCE,License,license}*', '{README,Readme,readme}*'];
  const [first] = files.flatMap((pattern) => globSync(pattern, { cwd: folder }));
  const notice = first && readFileSync(join(folder, first), 'utf8').trim();
  return notice && /copyright|licen[cs]e/i.test(notice) ? notice : undefined;
}

function readPackage(folder: string): Package {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const notice = noticeIn(folder);
  if (notice === undefined) throw new Error(`${name} has no licence that the package could carry`);
  return { name, version, license, notice };
}

function componentOf({ name, version, license }: Package) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { type: 'library', 'bom-ref': purl, name, version, purl, licenses: [{ expression: license }] };
}

/** Writes the notices of the packages whose code is in the bundle, and a list of them in CycloneDX for scanners. */
export function describeBundled(modules: readonly string[], dist: string): void {
  const folders = new Set(modules.flatMap((id) => FOLDER.exec(id)?.[0] ?? []));
  const found = new Map([...folders].map(readPackage).map((each) => [`${each.name} ${each.version}`, each]));
  const packages = [...found.keys()].toSorted().map((key) => found.get(key)!);
  const notices = packages.map(({ name, version, notice }) => `${name} ${version}\n\n${notice}\n`);
  writeFileSync(join(dist, 'licences.txt'), notices.join(`\n${'-'.repeat(80)}\n\n`));
  const list = {
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 },
    components: packages.map(componentOf),
  };
  writeFileSync(join(dist, 'bundled.cdx.json'), `${JSON.stringify(list, null, 2)}\n`);
}
