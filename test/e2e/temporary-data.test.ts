import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import {
  makeDataDir,
  removeDataDir,
  runToEnd,
  spawnService,
  startServiceProcess,
} from '../support/service-process.ts';

const folders: string[] = [];
after(() => folders.forEach(removeDataDir));
function makeFolder(): string {
  const folder = makeDataDir();
  folders.push(folder);
  return folder;
}
const TEMPORARY = { LINEKEEPER_TEMPORARY: 'on' };

describe('a temporary data folder', () => {
  it('is deleted when the service has stopped', async () => {
    const folder = makeFolder();
    const service = await startServiceProcess(folder, TEMPORARY);
    assert.ok(existsSync(join(folder, 'service.lock')));
    assert.equal(await service.stop(), 0);
    assert.equal(existsSync(folder), false);
  });

  it('is refused if it is not empty, and nothing is changed', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'mine.txt'), 'mine');
    const { code, output } = await runToEnd(folder, TEMPORARY);
    assert.equal(code, 2);
    assert.match(output, /^linekeeper: LINEKEEPER_TEMPORARY deletes the data folder .* is not empty\.$/m);
    assert.deepEqual(readdirSync(folder), ['mine.txt']);
    const file = join(folder, 'mine.txt');
    assert.notEqual((await runToEnd(file, TEMPORARY)).code, 0);
    assert.ok(existsSync(file));
  });

  it('is only for a sandbox with the embedded database', async () => {
    const { code, output } = await runToEnd(makeFolder(), {
      ...TEMPORARY,
      LINEKEEPER_MODE: 'sandbox',
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x',
    });
    assert.equal(code, 2);
    assert.match(output, /^linekeeper: LINEKEEPER_TEMPORARY is for a sandbox with its own database\.$/m);
  });

  it('is deleted also if the start ends early, by a signal or a mistake', async () => {
    const [stopped, mistaken] = [makeFolder(), makeFolder()];
    const { child } = spawnService(stopped, TEMPORARY);
    const ended = once(child, 'exit');
    await once(child, 'spawn');
    while (!existsSync(join(stopped, 'service.lock'))) await new Promise((done) => setTimeout(done, 10));
    child.kill('SIGTERM');
    await ended;
    assert.equal(existsSync(stopped), false);
    const { code } = await runToEnd(mistaken, {
      ...TEMPORARY,
      LINEKEEPER_FLEET: '/nowhere.json',
      LINEKEEPER_DEMO: '',
    });
    assert.deepEqual([code, existsSync(mistaken)], [2, false]);
  });
});
