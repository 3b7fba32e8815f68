import type { Static } from 'typebox';
import { isAccountName, isEcpdId } from '../../kernel/account-name.ts';
import type { Ctx } from '../../platform/context/context.ts';
import { listCausedJobs } from '../../platform/jobs/sql-list.ts';
import { listCausedCallbacks } from '../callbacks/index.ts';
import { listCausedFirings } from '../firings/index.ts';
import { listCausedNotifications } from '../notifications/index.ts';
import { type Shown, withhold } from './positions.ts';
import type { WireCall } from './schemas.ts';
import { type CallFilter, listCalls } from './sql-call.ts';

type Wire = Static<typeof WireCall>;
type Row = Awaited<ReturnType<typeof listCalls>>[number];

/** A cut body is not JSON and stays text. */
function parseBody(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

/** Everything these calls caused, also indirectly: it carries the request id of the first call. */
async function listCaused(
  ctx: Ctx,
  rows: readonly Row[],
  limit: number,
): Promise<(row: Row) => Wire['caused']> {
  const causes = [...new Set(rows.map(({ requestId }) => requestId))];
  const since = new Date(Math.min(...rows.map(({ at }) => at.getTime())));
  // One more than shown, to see whether there are more.
  const filter = { causes, since, limit: limit + 1 };
  const [callbacks, firings, mails, jobs] = await Promise.all([
    listCausedCallbacks(ctx.db, filter),
    listCausedFirings(ctx.db, filter),
    listCausedNotifications(ctx.db, filter),
    listCausedJobs(ctx.db, filter),
  ]);
  return ({ requestId, at }) => {
    const of = <T extends { cause: string; at: Date }>(all: readonly T[]) =>
      all.filter((each) => each.cause === requestId && each.at >= at);
    const whole = { callbacks: of(callbacks), firings: of(firings), mails: of(mails), jobs: of(jobs) };
    return {
      callbacks: whole.callbacks.slice(0, limit),
      firings: whole.firings.slice(0, limit),
      mails: whole.mails.slice(0, limit),
      jobs: whole.jobs.slice(0, limit),
      more: Object.values(whole).some(({ length }) => length > limit),
    };
  };
}

/** The matching calls, with up to `causedMax` effects of each kind, without positions whose consent is withdrawn. */
export async function listRequests(
  ctx: Ctx,
  filter: CallFilter,
  causedMax: number,
): Promise<readonly { readonly row: Row; readonly wire: Wire }[]> {
  const rows = await listCalls(ctx.db, filter);
  if (rows.length === 0) return [];
  const causedBy = await listCaused(ctx, rows, causedMax);
  const found = rows.map((row) => ({ row, wire: toWire(row, causedBy(row)) }));
  await withhold(
    ctx.db,
    found.flatMap(({ row, wire }) => shownBy(row, wire.answer)),
  );
  return found;
}

function shownBy({ ecpdId, accountName, located }: Row, answer: unknown): readonly Shown[] {
  if (located === null || !isAccountName(accountName) || !isEcpdId(ecpdId)) return [];
  return [{ ecpdId, accountName, located, answer }];
}

function toWire(row: Row, caused: Wire['caused']): Wire {
  const { ecpdId: _, located: __, callerKind, caller, request, answer, ...rest } = row;
  return {
    ...rest,
    caller: callerKind === null ? null : { kind: callerKind, name: caller },
    request: parseBody(request),
    answer: parseBody(answer),
    reason: rest.reason as Wire['reason'],
    caused,
  };
}
