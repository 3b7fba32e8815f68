import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { openFolders } from './network-feeds.ts';

const root = mkdtempSync(join(tmpdir(), 'linekeeper-feeds-'));
after(() => rmSync(root, { recursive: true }));
const mapping = join(root, 'mapping.json');
writeFileSync(mapping, '{"format":"ndjson"}');
const open = (folder: string, role: 'api' | 'worker' | 'all' = 'all', path = mapping) =>
  openFolders({
    role,
    network: {
      elements: [],
      positions: [],
      feeds: { files: [{ name: 'in', folder, mapping: path, source: 's' }] },
    },
  });

// proves usage/folders-of-feeds
it('a feed of files needs its folder when a process starts that takes files', () => {
  assert.deepEqual(
    open(root).map(({ name, folder, source }) => ({ name, folder, source })),
    [{ name: 'in', folder: root, source: 's' }],
  );
  assert.throws(() => open(join(root, 'none'), 'worker'), /does not exist/);
  assert.deepEqual(open(join(root, 'none'), 'api', join(root, 'no-mapping')), []);
  assert.throws(() => open(join(root, 'none')), /the folder .*none of the feed in does not exist/);
  assert.throws(() => open(mapping), /the folder .*mapping\.json of the feed in is no folder/);
});
