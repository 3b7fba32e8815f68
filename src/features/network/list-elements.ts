import type { Ctx } from '../../platform/context/context.ts';
import type { CheckedNetwork } from './check-lines.ts';
import { orderTime } from './line-network.ts';
import { countDifferences } from './sql-difference.ts';
import { type ElementRow, listElementRows, measureBacklog, measureDone } from './sql-element.ts';

/** The rate counts orders of this period. */
const RATE_MS = 60_000;

/** The status of an element, for the operator. */
interface ElementStatus {
  readonly name: string;
  readonly kind: string;
  readonly state: 'up' | 'silent' | 'paused';
  /** Orders done per second, over the last minute. */
  readonly ratePerSecond: number;
  /** Open orders, and the age of the oldest. */
  readonly backlog: number;
  readonly lagSeconds: number;
  readonly differences: number;
  readonly lastError: string | null;
  readonly lastErrorAt: Date | null;
}

const stateOf = (row: ElementRow | undefined): ElementStatus['state'] => {
  if (row?.pausedAt != null) return 'paused';
  return row?.silentSince == null ? 'up' : 'silent';
};

/** The elements of this process, and other elements with waiting orders. */
export async function listElements(
  ctx: Ctx,
  { network, elements }: CheckedNetwork,
): Promise<readonly ElementStatus[]> {
  const at = orderTime(network, ctx);
  const [waiting, ended, rows, differences] = await Promise.all([
    measureBacklog(ctx.db, at),
    measureDone(ctx.db, { at, sinceMs: RATE_MS }),
    listElementRows(ctx.db),
    countDifferences(ctx.db),
  ]);
  const byName = new Map(waiting.map((each) => [each.element, each]));
  const done = new Map(ended.map((each) => [each.element, each.done]));
  const rowOf = new Map(rows.map((row) => [row.element, row]));
  const kinds = new Map(elements.map(({ element }) => [element.name, element.kind]));
  const others = waiting.filter(({ element }) => !kinds.has(element));
  return [...kinds, ...others.map(({ element }) => [element, 'not configured'] as const)].map(
    ([name, kind]) => {
      const own = byName.get(name);
      const row = rowOf.get(name);
      return {
        name,
        kind,
        state: stateOf(row),
        ratePerSecond: (done.get(name) ?? 0) / (RATE_MS / 1_000),
        backlog: own?.backlog ?? 0,
        lagSeconds: own?.lagSeconds ?? 0,
        differences: differences.get(name) ?? 0,
        lastError: row?.lastError ?? null,
        lastErrorAt: row?.lastErrorAt ?? null,
      };
    },
  );
}
