import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';

const SEED_MAX = 1_000_000;

/** New at every commit, and the same when its tests run again. Without git, as in an unpacked archive, the version decides. */
function seedOfCode(): number {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number.parseInt(commit.slice(0, 8), 16) % SEED_MAX;
  } catch {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    return Number(version.replaceAll(/\D/g, '')) % SEED_MAX;
  }
}

/** The one number that everything random in a run is drawn from. */
export function readSeed(text: string | undefined): number {
  if (text === undefined) return seedOfCode();
  if (text === 'random') return randomInt(SEED_MAX);
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--seed takes a whole number or random, not ${text}`);
  return Number(text);
}

/** Repeats a run, or some of its files: with the same options, as far as these decide what is drawn. */
export const repeatCommand = (
  args: readonly string[],
  seed: number,
  { words, modelSeeds }: { readonly words: readonly string[]; readonly modelSeeds: string | undefined },
): string =>
  [
    'npm test --',
    ...args.filter((argument) => /^--(?!seeds?=|name=|write$)/.test(argument)),
    ...(modelSeeds === undefined ? [] : [`--seeds=${modelSeeds}`]),
    `--seed=${seed}`,
    ...words,
  ].join(' ');
