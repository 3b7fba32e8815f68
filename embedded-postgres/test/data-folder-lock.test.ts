import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EmbeddedPostgresError, lockDataDir } from '../index.ts';
import { runService, temporaryFolder } from './support.ts';

test('a second start on a data folder is refused with the folder and the pid of the first', async (t) => {
  const dataDir = await temporaryFolder(t);
  const first = runService(t, dataDir, { mode: 'lock' });
  await first.report;
  await assert.rejects(lockDataDir(dataDir), (error) => {
    assert.ok(error instanceof EmbeddedPostgresError);
    assert.ok(error.message.includes(dataDir), error.message);
    assert.match(error.message, new RegExp(`pid ${first.process.pid}\\b`));
    return true;
  });
});

test('the lock vanishes with a holder that is killed', async (t) => {
  const dataDir = await temporaryFolder(t);
  const first = runService(t, dataDir, { mode: 'lock' });
  await first.report;
  await first.kill('SIGKILL');
  const lock = await lockDataDir(dataDir);
  await lock.release();
});

test('a released lock can be taken again, and a held one not even by its own process', async (t) => {
  const dataDir = await temporaryFolder(t);
  const first = await lockDataDir(dataDir);
  await assert.rejects(lockDataDir(dataDir), EmbeddedPostgresError);
  await assert.rejects(lockDataDir(dataDir), EmbeddedPostgresError);
  const other = await runService(t, dataDir, { mode: 'lock' }).report;
  assert.equal(other.error?.name, 'EmbeddedPostgresError');
  await first.release();
  const second = await lockDataDir(dataDir);
  await second.release();
});

test('of several starters at the same moment exactly one gets the lock', async (t) => {
  const dataDir = await temporaryFolder(t);
  const starters = Array.from({ length: 6 }, () => runService(t, dataDir, { mode: 'lock' }));
  const reports = await Promise.all(starters.map((starter) => starter.report));
  assert.equal(reports.filter((report) => report.error === undefined).length, 1);
});
