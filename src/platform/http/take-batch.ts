import { loggedError } from '../telemetry/logged-error.ts';
import type { Feed, Outcomes } from './feed.ts';
import type { ReadRecord, RecordBatch, RejectedRecord } from './record-stream.ts';
import { type GivenUp, halving } from './write-by-halves.ts';

/** Adds up what became of records. */
export function tallyOf<O extends string>(outcomes: readonly O[]) {
  const count = (of: (outcome: O) => number) =>
    Object.fromEntries(outcomes.map((outcome) => [outcome, of(outcome)])) as Record<O, number>;
  let counts = count(() => 0);
  const rejected: RejectedRecord[] = [];
  const reject = (some: readonly RejectedRecord[]) => {
    for (const one of some) rejected.push(one);
  };
  return {
    add(some: Outcomes<O>) {
      counts = count((outcome) => counts[outcome] + (some.counts[outcome] ?? 0));
      reject(some.rejected);
    },
    reject,
    counts: () => counts,
    rejected,
  };
}

/** A batch with what is known about its records: of all together, but where some could not be looked up. */
interface FoundBatch<T, Known> {
  readonly rejected: readonly RejectedRecord[];
  readonly givenUp: GivenUp;
  readonly pieces: readonly { readonly records: readonly ReadRecord<T>[]; readonly known: Known }[];
}

/** The two halves of the work on a batch, which are done for different batches at the same time. */
export function batchTaker<T, Known, Item extends { readonly line: number }, O extends string>(
  feed: Feed<T, Known, Item, O>,
) {
  const { name, ctx, share } = feed;

  const giveUp = ({ line }: { readonly line: number }, error: Error): RejectedRecord => {
    const reference = ctx.newId();
    share.countGivenUp(name, 1);
    const cause = loggedError(error);
    ctx.log.error({ reference, feed: name, line, cause }, 'gave up a record that could not be taken');
    return { line, reason: `could not be taken; the log has more under ${reference}` };
  };

  return {
    async lookUp(batch: RecordBatch<T>): Promise<FoundBatch<T, Known>> {
      const pieces: FoundBatch<T, Known>['pieces'][number][] = [];
      const rejected = [...batch.rejected];
      const givenUp = { count: 0 };
      const take = halving<ReadRecord<T>>((item, error) => void rejected.push(giveUp(item, error)), givenUp);
      const { compare } = feed;
      const inOrder = compare && batch.records.toSorted((a, b) => compare(a.record, b.record));
      await take(inOrder ?? batch.records, async (records) => {
        pieces.push({ records, known: await share.turns.pass(() => feed.lookUp(records)) });
      });
      return { rejected, givenUp, pieces };
    },

    /** `done` is told what became of the batch, also where it fails in the middle. */
    async write({ rejected, givenUp, pieces }: FoundBatch<T, Known>, done: (outcomes: Outcomes<O>) => void) {
      const startedMs = performance.now();
      const tally = tallyOf(feed.outcomes);
      const take = halving<Item>((item, error) => tally.reject([giveUp(item, error)]), givenUp);
      tally.reject(rejected);
      try {
        for (const { records, known } of pieces) {
          const { parts, ...judged } = feed.judge(records, known);
          tally.add(judged);
          const writes = [...parts].map(([ecpdId, part]) =>
            take(part, async (items) =>
              tally.add(await share.turns.pass(() => feed.write(ecpdId, items, known))),
            ),
          );
          // All of them to their end: what one profile has committed counts, whatever becomes of another.
          for (const one of await Promise.allSettled(writes)) if (one.status === 'rejected') throw one.reason;
        }
      } finally {
        tally.rejected.sort((a, b) => a.line - b.line);
        done({ counts: tally.counts(), rejected: tally.rejected });
        const counts = { ...tally.counts(), rejected: tally.rejected.length };
        feed.watch?.(counts, (performance.now() - startedMs) / 1_000);
      }
    },
  };
}
