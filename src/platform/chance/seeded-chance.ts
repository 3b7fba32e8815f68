import { createHmac } from 'node:crypto';
import { sql } from '../db/sql.ts';
import type { Chance } from './chance.ts';

/** Number of counters for names of work. Names that share a counter continue each other's count, and still draw different values. */
const PLACES = 2 ** 20;

const digest = (key: Buffer | string, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

/** A UUID of version 4, like random ones. */
const asId = (bytes: Buffer): string => {
  const hex = bytes.toString('hex');
  const variant = ((bytes[8]! & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
};

interface Source {
  key(): Buffer;
  /** Number of times that work began, by counter. */
  readonly begun: Uint32Array;
}

function draw({ key, begun }: Source): Chance {
  let drawn = 0;
  const next = () => digest(key(), `draw ${drawn++}`);
  return {
    repeats: true,
    newId: () => asId(next()),
    bytes(count) {
      const blocks = Array.from({ length: Math.ceil(count / 32) }, next);
      return Buffer.concat(blocks).subarray(0, count);
    },
    rowIds() {
      const base = asId(next());
      return (row) =>
        sql`overlay(overlay(md5(${base}::text || ' ' || ${row}) placing '4' from 13) placing '8' from 17)::uuid`;
    },
    of(work) {
      let own: Buffer | undefined;
      const begin = () => {
        const named = digest(key(), `work ${work()}`);
        const place = named.readUInt32BE() % PLACES;
        const nth = begun[place]!;
        begun[place] = nth + 1;
        return digest(named, `turn ${nth}`);
      };
      return draw({
        key() {
          own ??= begin();
          return own;
        },
        begun,
      });
    },
  };
}

/**
 * Every value follows from the seed, the epoch, the name of the work and the number of its draws: anyone who knows the seed
 * can compute all tokens. For sandboxes.
 */
export function seededChance(seed: string, epoch: number): Chance {
  const key = digest(seed, `epoch ${epoch}`);
  return draw({ key: () => key, begun: new Uint32Array(PLACES) });
}
