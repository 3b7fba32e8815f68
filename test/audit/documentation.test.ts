import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { settingNames } from '../../src/platform/config/settings.ts';
import { OPERATOR_SCOPES } from '../../src/platform/http/access.ts';
import { linksIn } from '../support/links.ts';

/** Paths from the root or the page's own folder. The commands on the pages create `bench/results`. */
const PATH = /`((?:src|test|clients|docs|deploy|bench(?!\/results)|migrations)\/[\w./-]+)`/g;

const pages = globSync(['*.md', '{docs,src,test,deploy,clients}/**/*.md'], {
  exclude: (name) => name === 'node_modules',
}).map((page) => ({ page, text: readFileSync(page, 'utf8') }));

const anchorsIn = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || anchorsIn(readFileSync(target, 'utf8')).includes(anchor);
}

describe('documentation', () => {
  it('names existing files and folders', () => {
    const gone = pages.flatMap(({ page, text }) =>
      [...text.matchAll(PATH)]
        .filter(([, path]) => !existsSync(path!) && !existsSync(join(dirname(page), path!)))
        .map(([, path]) => `${page}: ${path}`),
    );
    assert.ok(pages.length > 30);
    assert.deepEqual(gone, []);
  });

  it('has links to existing pages and headings', () => {
    const broken = pages.flatMap(({ page, text }) =>
      linksIn(text)
        .filter((link) => !leadsSomewhere(page, link))
        .map((link) => `${page}: ${link}`),
    );
    assert.deepEqual(broken, []);
  });
});

describe('the guide for operators', () => {
  const page = readFileSync('docs/operating.md', 'utf8');

  it('has every retention setting in its table', () =>
    assert.deepEqual(
      settingNames.filter((name) => name.includes('_RETENTION_') && !page.includes(`| \`${name}\`, `)),
      [],
    ));

  it('says what every scope of an operator key allows', () =>
    assert.deepEqual(
      OPERATOR_SCOPES.filter((scope) => !page.includes(`\n| \`${scope}\` `)),
      [],
    ));
});
