import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFeedScene } from './support/feed-scene.ts';
import { beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { show } from './support/statistics.ts';
import { feedRate } from './support/usage-feed.ts';
import { type FileForm, fileRate, makeSpool } from './support/usage-spool.ts';

const RECORDS = Number(process.env['BENCH_USAGE_RECORDS'] ?? 200_000);
const ROUNDS = roundsOr(3);
const DEVICES = 100_000;

const FORMS: Readonly<Record<FileForm, string>> = {
  records: 'as NDJSON, the same records',
  rows: 'as CSV without ids, the same usage',
};

/** Compares a file with a feed over HTTP, one at a time, into the same process. */
export async function usageFiles(): Promise<Finding[]> {
  const root = mkdtempSync(join(tmpdir(), 'linekeeper-bench-'));
  const scene = await startFeedScene(DEVICES, 'all', { LINEKEEPER_NETWORK: makeSpool(root) });
  const { db, url, startOver, stop } = scene;
  const ways: Record<string, (run: string) => Promise<number>> = {
    post: (run) => feedRate(url, { records: RECORDS, devices: DEVICES, run, feeds: 1 }),
    records: (run) => fileRate(db, root, 'records', { records: RECORDS, devices: DEVICES, run }),
    rows: (run) => fileRate(db, root, 'rows', { records: RECORDS, devices: DEVICES, run }),
  };
  const rates: Record<string, number[]> = { post: [], records: [], rows: [] };
  try {
    // The first round warms up; each round begins with a different contender.
    for (let round = 0; round <= ROUNDS; round++)
      for (let n = 0; n < 3; n++) {
        const way = Object.keys(ways)[(round + n) % 3]!;
        await startOver();
        const rate = await ways[way]!(`${way}${round}`);
        if (round > 0) rates[way]!.push(rate);
      }
  } finally {
    await stop();
    rmSync(root, { recursive: true, force: true });
  }
  return Object.entries(FORMS).map(([form, how]) =>
    beside({
      what: `Usage records of files taken per second, ${show(RECORDS)} over ${show(DEVICES)} devices, ${how}`,
      ours: rates[form]!,
      against: rates['post']!,
      is: 'one feed by POST /usage',
      target: { atLeast: 0.9 },
    }),
  );
}
