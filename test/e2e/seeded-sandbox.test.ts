import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { UUID_SHAPE } from '../../src/kernel/uuid.ts';
import { storyFleet } from '../examples/story.ts';
import { openListener } from '../support/listener.ts';
import { makeDataDir, removeDataDir, runToEnd, startServiceProcess } from '../support/service-process.ts';
import { openPlayer } from './seeded/player.ts';
import { type Play, playBeginning, playDay, playMonth } from './seeded/story.ts';

/** Two services, each with its own database, run through a month. */
const LONG = { timeout: 1_800_000 };
/** A frozen clock stays frozen after a restart. */
const FIRST = { LINEKEEPER_NOW: '2026-01-05T15:00:00Z', LINEKEEPER_FREEZE: 'on' };
const SETTINGS = {
  LINEKEEPER_ACTION_DEVICES_MAX: '1',
  LINEKEEPER_LOGIN_RATE: '0',
  LINEKEEPER_ADVANCE_WAIT_SECONDS: '600',
};

/** Starts a sandbox, calls it, stops it, starts it again and calls it again. */
async function transcriptOf(
  seed: string | undefined,
  plays: readonly Play[] = [playDay, playMonth],
): Promise<readonly string[]> {
  const dataDir = makeDataDir();
  const listener = await openListener();
  const fleet = join(dataDir, 'fleet.json');
  writeFileSync(fleet, JSON.stringify(storyFleet(listener.url)));
  const settings = {
    ...{ ...SETTINGS, LINEKEEPER_SIMULATOR_SEED: seed },
    LINEKEEPER_FLEET: fleet,
  };
  const player = openPlayer(listener);
  try {
    for (const [nth, play] of plays.entries()) {
      const service = await startServiceProcess(dataDir, {
        ...settings,
        ...(nth === 0 && FIRST),
      });
      player.turnTo(service);
      await play(player).finally(() => service.stop());
    }
    return player.transcript();
  } finally {
    removeDataDir(dataDir);
  }
}

/** The first few are enough to see what is wrong. */
function assertSame(one: readonly string[], other: readonly string[]): void {
  const differing = one.flatMap((line, n) =>
    line === other[n] ? [] : [{ after: one[n - 1], line, not: other[n] }],
  );
  assert.deepEqual(differing.slice(0, 3), []);
  assert.equal(other.length, one.length);
}

const idsIn = (lines: readonly string[]) =>
  new Set(lines.flatMap((line) => line.match(new RegExp(UUID_SHAPE, 'g')) ?? []));

describe('two sandboxes with the same seed and frozen clocks', () => {
  it('send the same answers, callbacks and mails for a month, also after a restart', LONG, async () => {
    const [one, other] = await Promise.all([transcriptOf('7'), transcriptOf('7')]);
    assert.ok(one.length > 1_000, `${one.length} lines`);
    assertSame(one, other);
    const standing = one.filter((line) =>
      line.includes('"now":"2026-02-04T21:01:00.000Z","offsetMs":0,"frozen":true'),
    );
    assert.ok(standing.length >= 2, 'a clock that stands still stands still when it is started again');
  });
});

describe('a sandbox with another seed, or with none', () => {
  it('generates no value that another one generates', LONG, async () => {
    const fleet = idsIn([JSON.stringify(storyFleet(''))]);
    const transcripts = await Promise.all(
      ['7', '8', undefined].map((seed) => transcriptOf(seed, [playBeginning])),
    );
    const made = transcripts.map((lines) => new Set([...idsIn(lines)].filter((id) => !fleet.has(id))));
    assert.ok(
      made.every(({ size }) => size > 60),
      made.map(({ size }) => size).join(),
    );
    assert.equal(
      made.reduce((all, some) => all.union(some)).size,
      made.reduce((sum, { size }) => sum + size, 0),
    );
  });
});

describe('a production with a seed', () => {
  it('does not start', async () => {
    const dataDir = makeDataDir();
    const { code, output } = await runToEnd(dataDir, {
      LINEKEEPER_MODE: 'production',
      LINEKEEPER_SIMULATOR_SEED: '7',
    });
    removeDataDir(dataDir);
    assert.notEqual(code, 0);
    assert.match(output, /LINEKEEPER_SIMULATOR_SEED is for the sandbox/);
  });
});
