import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { eachRound, faultMoments, faultRounds, TOO_LATE } from '../support/fault-mode.ts';
import { ACCOUNT, SMALL_FLEET } from '../support/fleet.ts';
import { openCrew, until } from '../support/service-crew.ts';
import { makeWorld } from '../support/world.ts';
import { killForGood } from './support/kill-for-good.ts';
import { makeSpools, namesIn, putFile, textOf } from './support/usage-spool.ts';

const ROUNDS = faultRounds(1);
const moments = faultMoments('usage-files');
const ROWS = 60_000;
/** The service's batch size. */
const BATCH = 5_000;
/** One in this many rows is invalid. */
const BAD_EVERY = 997;
const HEADER = 'START,IMSI,BYTES';

const root = mkdtempSync(join(tmpdir(), 'linekeeper-spools-'));
after(() => rmSync(root, { recursive: true, force: true }));
const network = makeSpools(root, ['large', 'stuck']);
const secretKey = generateSecretKey();
const world = await makeWorld({ secretKey });
const imsis = Array.from({ length: 100 }, (_, n) => `3114800000${String(n).padStart(5, '0')}`);
await world.import({ ...SMALL_FLEET, devices: imsis.map((imsi) => ({ accountName: ACCOUNT, imsi })) });
const crew = openCrew(world, secretKey, { LINEKEEPER_ROLE: 'worker', LINEKEEPER_NETWORK: network });
const { db } = world.ctx;
const startS = Math.floor(Date.now() / 1_000) - 7_200;

/** Rows that are in no other file, and the expected counted and rejected ones. */
function makeFile(run: number, rows: number) {
  const lines = [HEADER];
  const rejected: { line: number; reason: string }[] = [];
  let bytes = 0;
  for (let n = 0; n < rows; n++) {
    const isBad = n % BAD_EVERY === run % BAD_EVERY;
    const used = 1 + ((n * 7_919 + run * 31) % 100_000);
    lines.push(`${startS + (n % 3_600)},${imsis[n % imsis.length]},${isBad ? 'lots' : used}`);
    if (isBad) rejected.push({ line: lines.length, reason: 'BYTES is not a number of B: lots' });
    else bytes += used;
  }
  return { content: `${lines.join('\n')}\n`, lines: lines.length, rejected, bytes };
}
type MadeFile = ReturnType<typeof makeFile>;

const counted = async (): Promise<number> =>
  (await db.one<{ bytes: number }>(sql`select coalesce(sum(bytes), 0)::float8 as bytes from usage_record`))
    .bytes;

const progressOf = (name: string) =>
  db.maybe<{ state: string; lines: number; taken: number; rejected: number }>(sql`
    select state, lines::float8 as lines, (accepted + duplicates)::float8 as taken, rejected::float8 as rejected
    from usage_file where name = ${name}`);

/** The unchanged file is in the right folder, with its rejected lines next to it, each once. */
async function assertSettled(spool: string, name: string, made: MadeFile): Promise<void> {
  const done = join(root, spool, 'done');
  await until('the file is moved away', () => namesIn(done).includes(name));
  const good = made.lines - 1 - made.rejected.length;
  assert.deepEqual(await progressOf(name), {
    state: 'done',
    lines: made.lines,
    taken: good,
    rejected: made.rejected.length,
  });
  assert.ok(textOf(done, name) === made.content, 'the file is as it was');
  const rejected = textOf(done, `${name}.rejected`).trimEnd().split('\n');
  assert.deepEqual(
    rejected.map((line) => JSON.parse(line)),
    made.rejected,
  );
  assert.deepEqual(
    namesIn(root, spool).filter((entry) => entry.startsWith(name)),
    [],
  );
}

/** All of it is counted once. */
async function assertTaken(spool: string, name: string, made: MadeFile, before: number): Promise<void> {
  await assertSettled(spool, name, made);
  assert.equal((await counted()) - before, made.bytes);
  const differences = await world.operator('GET', `/usage/differences?accountName=${ACCOUNT}`);
  assert.deepEqual([differences.statusCode, differences.json().differences], [200, []]);
}

let runs = 0;

describe('a file of usage records', () => {
  it('is counted to the byte, with every rejected line next to it, after kills in the middle', async (t) => {
    await eachRound(t, ROUNDS, async (t) => {
      const name = `killed${runs}.csv`;
      const made = makeFile(runs++, ROWS);
      const before = await counted();
      putFile(join(root, 'large'), name, made.content);
      // Twice after some batch, but not after the last.
      const first = BATCH * moments.between(1, 4);
      for (const enough of [first, first + BATCH * moments.between(1, 4)]) {
        const [only] = await crew.have(1);
        await until('so many lines are taken', async () => ((await progressOf(name))?.lines ?? 0) >= enough, {
          everyMs: 5,
        });
        await killForGood(world, only!);
        const { state, lines } = (await progressOf(name))!;
        if (state !== 'taking') return TOO_LATE;
        t.diagnostic(`killed behind line ${lines} of ${made.lines}`);
      }
      await crew.have(1);
      await assertTaken('large', name, made, before);
    });
  });

  it('in a folder that two processes share is counted once, even if one of them is killed', async (t) => {
    await eachRound(t, ROUNDS, async () => {
      const files = Array.from({ length: 6 }, () => {
        const name = `shared${runs}.csv`;
        return { name, made: makeFile(runs++, BATCH + BAD_EVERY) };
      });
      const before = await counted();
      const [oldest] = await crew.have(2);
      for (const { name, made } of files) putFile(join(root, 'large'), name, made.content);
      const enough = moments.between(1, 3);
      const done = () => files.filter(({ name }) => namesIn(root, 'large', 'done').includes(name)).length;
      await until('some files are done', () => done() >= enough);
      await oldest!.stop('SIGKILL');
      await until('all files are done', () => done() === files.length);
      const bytes = files.reduce((sum, { made }) => sum + made.bytes, 0);
      assert.equal((await counted()) - before, bytes);
      for (const { name, made } of files) await assertSettled('large', name, made);
    });
  });

  for (const [what, asKilled] of [
    ['before anything of it was moved', () => {}],
    [
      'when only its rejected lines were moved',
      (spool: string, name: string) => {
        mkdirSync(join(spool, 'done'));
        renameSync(join(spool, `${name}.rejected`), join(spool, 'done', `${name}.rejected`));
      },
    ],
  ] as const)
    it(`that was read to its end is counted once and moved, after a kill ${what}`, async () => {
      const spool = join(root, 'stuck');
      const name = `stuck${runs}.csv`;
      const made = makeFile(runs++, 3 * BAD_EVERY);
      const before = await counted();
      // Nothing can be moved to the target folder.
      symlinkSync(network, join(spool, 'done'));
      putFile(spool, name, made.content);
      const [only] = await crew.have(1);
      await until('it is taken', async () => (await progressOf(name))?.state === 'done');
      await killForGood(world, only!);
      assert.ok(namesIn(spool).includes(name), 'it could not be moved');
      rmSync(join(spool, 'done'));
      asKilled(spool, name);
      await crew.have(1);
      await assertTaken('stuck', name, made, before);
      renameSync(join(spool, 'done'), join(spool, `done before ${name}`));
    });

  it('that was set aside is moved with its reason once, after a kill when only the reason was written', async () => {
    const spool = join(root, 'stuck');
    symlinkSync(network, join(spool, 'failed'));
    putFile(spool, 'other.csv', 'WHEN;WHO\n1;2\n');
    const [only] = await crew.have(1);
    await until('it has failed', async () => (await progressOf('other.csv'))?.state === 'failed');
    await killForGood(world, only!);
    rmSync(join(spool, 'failed'));
    mkdirSync(join(spool, 'failed'));
    writeFileSync(join(spool, 'failed', 'other.csv.reason'), 'The file has no c');
    await crew.have(1);
    await until('it is moved away', () => namesIn(spool, 'failed').includes('other.csv'));
    assert.deepEqual(namesIn(spool, 'failed'), ['other.csv', 'other.csv.reason']);
    assert.match(textOf(spool, 'failed', 'other.csv.reason'), /^The file has no column IMSI, START, BYTES/);
    assert.ok(!namesIn(spool).includes('other.csv'));
  });
});
