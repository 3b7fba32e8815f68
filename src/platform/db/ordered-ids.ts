import type { Chance } from '../chance/chance.ts';

const SEQUENCE_MAX = 2 ** 24;
const RANDOM_BYTES = 6;

/**
 * Ids that sort in the order of their creation (UUID version 7): by millisecond, then by their order in the batch. Rows that
 * are used together are then next to each other in every table and index; random ids would touch a page for each row.
 */
export function makeOrderedIds({ bytes }: Chance, at: Date, count: number): string[] {
  if (count > SEQUENCE_MAX / 2) throw new RangeError(`${count} ids are too many for one batch`);
  const time = at.getTime().toString(16).padStart(12, '0');
  const stem = `${time.slice(0, 8)}-${time.slice(8)}-7`;
  // Another process may create some in the same millisecond: it counts from another start, and the rest is random.
  const first = bytes(4).readUInt32BE() % (SEQUENCE_MAX / 2);
  const random = bytes(count * RANDOM_BYTES).toString('hex');
  return Array.from({ length: count }, (_, n) => {
    const sequence = (first + n).toString(16).padStart(6, '0');
    const rest = random.slice(n * 2 * RANDOM_BYTES, (n + 1) * 2 * RANDOM_BYTES);
    return `${stem}${sequence.slice(0, 3)}-8${sequence.slice(3)}-${rest}`;
  });
}

/** No id created at this time or later sorts before it. */
export function firstOrderedIdAt(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

export const timeOfOrderedId = (id: string): Date =>
  new Date(Number.parseInt(id.slice(0, 13).replace('-', ''), 16));
