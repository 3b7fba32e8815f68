import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

/** Code that runs when the service or a command starts. Left out: `listen` and clients, which need their own server. */
const ROOTS = ['src', 'embedded-postgres', 'demo', 'clients/cli'];
const LATER = ['clients/cli/commands/listen.ts'];
const IMPORT = /^import (?!type )([^;]*?) from 'node:http';/gms;
/** Types do not exist at run time. */
const isOfTypes = (names: string) =>
  /^\{.*\}$/s.test(names) &&
  names
    .slice(1, -1)
    .split(',')
    .filter((name) => name.trim() !== '')
    .every((name) => name.trim().startsWith('type '));

describe('what a start loads', () => {
  it('does not include the WebSocket client, which comes with each import of node:http', () => {
    const found = ROOTS.flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: 'utf8' })
        .map((name) => join(root, name))
        .filter(
          (file) => /(?<!\.d|\.test)\.ts$/.test(file) && !/\/test\//.test(file) && !LATER.includes(file),
        )
        .filter((file) =>
          [...readFileSync(file, 'utf8').matchAll(IMPORT)].some(([, names]) => !isOfTypes(names!)),
        ),
    );
    assert.deepEqual(found, []);
  });
});
