import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { randomFor, type SeededRandom } from '../../../../test/support/seeded-random.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import { sql } from '../../../platform/db/sql.ts';
import { FIGURE_SPANS, type FigureSpan, getListenerFigures } from '../delivery/figures.ts';

const tenant = { ecpdId: '9000001' as EcpdId, accountName: ACCOUNT as AccountName };
const SERVICE = 'AlertService';
const WEEK_MS = 7 * 86_400_000;
const { ctx, ...world } = await makeWorld();
await world.import(SMALL_FLEET);
const NOW = ctx.now().getTime();

interface Attempt {
  readonly series: number;
  readonly attempt: number;
  readonly atMs: number;
  readonly latencyMs: number;
  readonly status: number | null;
}
interface Message {
  readonly id: string;
  readonly createdMs: number;
  readonly attempts: readonly Attempt[];
  readonly pending: { readonly series: number; readonly dueMs: number } | undefined;
}

/** The history of a message: one or two series of attempts with a pause, or a wait that has not ended. */
function liveOne(random: SeededRandom, createdMs: number): Message {
  const attempts: Attempt[] = [];
  const seriesCount = random.next() < 0.2 ? 2 : 1;
  let atMs = createdMs + random.between(0, 60_000);
  let pending: Message['pending'];
  for (let series = 1; series <= seriesCount && pending === undefined; series++) {
    if (series > 1) atMs += random.between(60_000, 3_600_000);
    for (let attempt = 1; attempt <= 4; attempt++) {
      if (atMs >= NOW || random.next() < 0.05) {
        const isLater = attempt > 1 || series === 1;
        pending = { series, dueMs: isLater ? Math.max(atMs, createdMs) : Math.min(atMs, NOW - 1) };
        break;
      }
      const status = random.next() < 0.6 ? 200 : random.next() < 0.5 ? 503 : null;
      // Makes their quantiles whole numbers.
      const latencyMs = 20 * random.between(1, 750);
      attempts.push({ series, attempt, atMs, latencyMs, status });
      if (status === 200) return { id: randomUUID(), createdMs, attempts, pending: undefined };
      atMs += latencyMs + 300_000;
    }
  }
  return { id: randomUUID(), createdMs, attempts, pending };
}

async function write(messages: readonly Message[]): Promise<void> {
  await ctx.db.exec(sql`truncate callback_message, callback_pending, callback_attempt`);
  const of = [tenant.ecpdId, ACCOUNT, SERVICE];
  const date = (ms: number) => new Date(ms).toISOString();
  await ctx.db.exec(sql`
    insert into callback_message (ecpd_id, account_name, service_name, message_id, created_at, request_id, payload)
    select ${of[0]}, ${of[1]}, ${of[2]}, m.*, 'r', '{}' from unnest(${messages.map(({ id }) => id)}::uuid[],
      ${messages.map(({ createdMs }) => date(createdMs))}::timestamptz[]) m`);
  const waiting = messages.filter(({ pending }) => pending !== undefined);
  await ctx.db.exec(sql`
    insert into callback_pending (ecpd_id, account_name, service_name, message_id, due_at, series, attempts_made)
    select ${of[0]}, ${of[1]}, ${of[2]}, m.*, 0 from unnest(${waiting.map(({ id }) => id)}::uuid[],
      ${waiting.map(({ pending }) => date(pending!.dueMs))}::timestamptz[],
      ${waiting.map(({ pending }) => pending!.series)}::smallint[]) m`);
  const made = messages.flatMap(({ id, attempts }) => attempts.map((attempt) => ({ id, ...attempt })));
  await ctx.db.exec(sql`
    insert into callback_attempt (ecpd_id, message_id, series, attempt, at, status, latency_ms, answer)
    select ${of[0]}, m.*, '' from unnest(${made.map(({ id }) => id)}::uuid[], ${made.map((a) => a.series)}::smallint[],
      ${made.map((a) => a.attempt)}::smallint[], ${made.map((a) => date(a.atMs))}::timestamptz[],
      ${made.map((a) => a.status)}::smallint[], ${made.map((a) => a.latencyMs)}::int[]) m`);
}

/** The intervals in which a message waited, according to its attempts. */
function waits({ createdMs, attempts, pending }: Message): readonly [number, number][] {
  const bySeries = Map.groupBy(attempts, ({ series }) => series);
  const found = [...bySeries].map(([series, of]): [number, number] => [
    series === 1 ? createdMs : Math.min(...of.map(({ atMs }) => atMs)),
    pending?.series === series
      ? Number.POSITIVE_INFINITY
      : Math.max(...of.map(({ atMs, latencyMs }) => atMs + latencyMs)),
  ]);
  if (pending !== undefined && !bySeries.has(pending.series))
    found.push([pending.series === 1 ? createdMs : pending.dueMs, Number.POSITIVE_INFINITY]);
  return found;
}

function quantile(values: readonly number[], share: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  return Math.round(low + (high - low) * (place - Math.floor(place)));
}

/** The same figures, computed by checking each message against each slice. */
function expected(messages: readonly Message[], span: FigureSpan) {
  const { stepMs, slices } = FIGURE_SPANS[span];
  const first = (Math.floor(NOW / stepMs) - slices + 1) * stepMs;
  return Array.from({ length: slices }, (_, n) => {
    const [from, to] = [first + n * stepMs, first + (n + 1) * stepMs];
    const mine = messages.filter(({ createdMs }) => createdMs >= from && createdMs < to);
    const took = ({ attempts }: Message) => attempts.find(({ status }) => status === 200)?.latencyMs;
    const ended = mine.filter(({ pending }) => pending === undefined);
    const latencies = mine.map(took).filter((ms) => ms !== undefined);
    return {
      at: new Date(from),
      posted: mine.length,
      seen: mine.length,
      delivered: ended.filter((one) => took(one) !== undefined).length,
      failed: ended.filter((one) => took(one) === undefined).length,
      pending: mine.length - ended.length,
      medianMs: quantile(latencies, 0.5),
      slowMs: quantile(latencies, 0.95),
      waiting: messages.flatMap(waits).filter(([began, end]) => began < to && end >= to).length,
    };
  });
}

const rounded = (value: number | null) => (value === null ? null : Math.round(value));
const figures = async (span: FigureSpan, keptMs = WEEK_MS) =>
  (await getListenerFigures(ctx, tenant, { serviceName: SERVICE, span, keptMs })).slices.map(
    ({ at, posted, seen, delivered, failed, pending, medianMs, slowMs, waiting }) => ({
      ...{ at, posted, seen, delivered, failed, pending, waiting },
      ...{ medianMs: rounded(medianMs), slowMs: rounded(slowMs) },
    }),
  );

describe('the figures of a listener', () => {
  it('equal a count over every callback, for every span of time', async () => {
    const random = randomFor('figures');
    for (const span of ['hour', 'day', 'week'] as const) {
      const { stepMs, slices } = FIGURE_SPANS[span];
      for (let round = 0; round < 3; round++) {
        const messages = Array.from({ length: 400 }, () =>
          liveOne(random, NOW - random.between(1, stepMs * (slices + 15))),
        );
        await write(messages);
        assert.deepEqual(await figures(span), expected(messages, span), span);
      }
    }
  });

  it('of a busy slice come from a sample, and the number waiting is an estimate', async () => {
    const { stepMs } = FIGURE_SPANS.day;
    const busyMs = Math.floor(NOW / stepMs) * stepMs - 3 * stepMs;
    await write(
      Array.from({ length: 400 }, (_, n) => ({
        id: randomUUID(),
        createdMs: busyMs + n,
        // Every second one has waited since then.
        ...(n % 2 === 0
          ? { attempts: [], pending: { series: 1, dueMs: NOW } }
          : {
              attempts: [{ series: 1, attempt: 1, atMs: busyMs + n, latencyMs: 20, status: 200 }],
              pending: undefined,
            }),
      })),
    );
    const slices = await figures('day');
    const busy = slices.find(({ at }) => at.getTime() === busyMs)!;
    assert.deepEqual(
      [busy.posted, busy.seen, busy.delivered, busy.pending, busy.waiting],
      [400, 100, 50, 50, 200],
    );
    assert.deepEqual([slices.at(-1)!.waiting, slices[0]!.waiting], [200, 0]);
  });

  it('count callbacks that have waited since before the first slice', async () => {
    const old = NOW - 20 * 86_400_000;
    await write([
      { id: randomUUID(), createdMs: old, attempts: [], pending: { series: 1, dueMs: old } },
      { id: randomUUID(), createdMs: old, attempts: [], pending: { series: 2, dueMs: NOW - 3_600_000 } },
    ]);
    const waiting = (await figures('day')).map((slice) => slice.waiting);
    assert.deepEqual([waiting[0], waiting.at(-1)], [1, 2]);
  });

  it('go no further back than delivered callbacks are kept', async () => {
    const slices = await figures('week', 2 * 86_400_000);
    assert.ok(slices.length > 0 && slices.length <= 17, String(slices.length));
    assert.ok(slices.every(({ at }) => at.getTime() >= NOW - 2 * 86_400_000));
  });
});
