import { createMlp } from '../../adapters/mlp/index.ts';
import { createHttpPositions } from '../../adapters/network-http/position-source.ts';
import {
  type BudgetedSource,
  createSourceNotes,
  type PositionSource,
  sourcesInOrder,
} from '../../features/locations/index.ts';
import type { NetworkSettings, PositionSettings } from '../../platform/config/network-schema.ts';
import type { Ctx } from '../../platform/context/context.ts';
import { VERSION } from '../version.ts';

const BUDGET_MS = 5_000;

interface OpenSource extends BudgetedSource {
  close(): Promise<void>;
}

function open(settings: PositionSettings, { now }: Pick<Ctx, 'now'>): OpenSource {
  const budgetMs = settings.timeoutMs ?? BUDGET_MS;
  if (settings.kind === 'mlp') return { ...createMlp(settings, now), budgetMs };
  const { name, url, secret = '' } = settings;
  const signed = { name, url, secret, timeoutMs: budgetMs, userAgent: `Linekeeper/${VERSION}` };
  return { ...createHttpPositions(signed), budgetMs };
}

interface OpenPositions {
  readonly source: PositionSource;
  close(): Promise<void>;
}

/** The position sources of the network file combined; undefined if there are none. */
export function openPositions(ctx: Ctx, network: NetworkSettings | undefined): OpenPositions | undefined {
  const listed = network?.positions.map((settings) => open(settings, ctx)) ?? [];
  if (listed.length === 0) return undefined;
  const notes = createSourceNotes(ctx);
  const onTrouble = (name: string, error: unknown) => {
    ctx.log.warn({ err: error, source: name }, 'a position source could not be queried; trying the next one');
    notes.failed(name, error);
  };
  const source = sourcesInOrder(listed, onTrouble, notes.answered);
  return {
    source,
    async close() {
      await Promise.all(listed.map((one) => one.close()));
    },
  };
}
