import { NIL_UUID } from '../../kernel/uuid.ts';
import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import type { ConnectedElement } from './carrying/engine.ts';
import { type LineNetwork, orderTime } from './line-network.ts';
import { differenceOf, goneFrom, isSame, type NetworkLine, type WantedLine, wantedOf } from './order.ts';
import { placeOrders } from './order-lines.ts';
import type { LineThere, NetworkElement } from './port.ts';
import type { SilentInCheck } from './silent-elements.ts';
import {
  type KnownLine,
  listDeletedLines,
  listOrdersOfLines,
  lockNetworkLines,
  type OrdersOfLine,
} from './sql-check.ts';
import { deleteDifferences, insertDifferences } from './sql-difference.ts';
import { listLinesOfAccount } from './sql-order.ts';
import type { PageResult } from './sql-progress.ts';

const PAGE = 1_000;

export interface CheckedNetwork {
  readonly network: LineNetwork;
  readonly elements: readonly ConnectedElement[];
}

interface Checking extends CheckedNetwork {
  readonly repair: boolean;
  readonly silent: SilentInCheck;
  readonly signal: AbortSignal;
  /** Called with the result of every page of lines. */
  readonly onPage: (result: PageResult) => Promise<unknown>;
}

/** The comparison of some lines with one element. */
interface Compared {
  readonly differences: number;
  /** The lines compared, and those that the element did not answer for. Others were being changed. */
  readonly compared: readonly string[];
  readonly unanswered: readonly string[];
}

/** A line as it should be on an element, and its state here. */
interface Expected {
  readonly line: WantedLine;
  readonly here: LineThere['state'];
}

interface ExpectedAndThere extends Expected {
  readonly there: LineThere;
}

/** Reads lines from an element in batches, until a whole batch gets no answer. Omits lines without an answer. */
async function readAll(
  { name, read, batchMax }: NetworkElement,
  expected: readonly Expected[],
  { signal, silent }: Checking,
): Promise<readonly ExpectedAndThere[]> {
  if (read === undefined) return [];
  const known: ExpectedAndThere[] = [];
  for (let n = 0; n < expected.length && !silent.has(name); n += batchMax) {
    signal.throwIfAborted();
    const batch = expected.slice(n, n + batchMax);
    const askedAtMs = performance.now();
    const truths = await read(
      batch.map(({ line }) => line),
      signal,
    );
    const answered = batch.flatMap((each, i) => {
      const there = truths[i];
      return there === undefined ? [] : [{ ...each, there }];
    });
    known.push(...answered);
    if (answered.length === 0) silent.add(name, performance.now() - askedAtMs);
  }
  return known;
}

/** Finds lines without an open order; given `before`, also without any order placed since then. */
async function findQuiet(
  ctx: Ctx,
  ecpdId: string,
  expected: readonly Expected[],
  { element, checking: { elements, network } }: { readonly element: string; readonly checking: Checking },
  before?: ReadonlyMap<string, OrdersOfLine>,
) {
  const others = elements.map((each) => each.element.name).filter((name) => name !== element);
  const imsis = expected.map(({ line }) => line.imsi);
  const rows = await listOrdersOfLines(ctx.db, ecpdId, { element, others }, imsis, orderTime(network, ctx));
  const orders = new Map(rows.map((row) => [row.imsi, row]));
  const isQuiet = ({ line: { imsi } }: Expected): boolean => {
    const now = orders.get(imsi);
    return now?.isOpen !== true && (before === undefined || now?.stamp === before.get(imsi)?.stamp);
  };
  return { orders, isQuiet };
}

/** Whether the element has the line as a change ordered it: the change is made here soon, or undone there. */
function isChangePending(
  { line, here, there }: ExpectedAndThere,
  orders: ReadonlyMap<string, OrdersOfLine>,
): boolean {
  const confirmed = orders.get(line.imsi)?.confirmed ?? undefined;
  return here !== 'unknown' && confirmed !== undefined && differenceOf(confirmed, there) === undefined;
}

/** Compares lines with one element and records differences. Skips lines with an open order: they match soon. */
async function compare(
  ctx: Ctx,
  ecpdId: string,
  connected: ConnectedElement,
  expected: readonly Expected[],
  checking: Checking,
): Promise<Compared> {
  const { element } = connected;
  const { network, repair } = checking;
  const asked = { element: element.name, checking };
  const { orders, isQuiet } = await findQuiet(ctx, ecpdId, expected, asked);
  const quiet = expected.filter(isQuiet);
  const known = await readAll(element, quiet, checking);
  const answeredIds = new Set(known.map(({ line }) => line.deviceId));
  const unanswered = quiet.flatMap(({ line }) => (answeredIds.has(line.deviceId) ? [] : [line.deviceId]));
  if (known.length === 0) return { differences: 0, compared: [], unanswered };
  return inTx(
    ctx,
    async (tx) => {
      // A line may have been changed or ordered during the read; the next check covers it.
      const ids = known.map(({ line }) => line.deviceId);
      const now = new Map(
        (await lockNetworkLines(tx.db, ecpdId, ids)).map((row) => [row.deviceId, wantedOf(row)]),
      );
      const { isQuiet: isStillQuiet } = await findQuiet(tx, ecpdId, known, asked, orders);
      const same = known
        .filter(isStillQuiet)
        .filter(({ line, here }) => here === 'unknown' || isSame(now.get(line.deviceId), line));
      const compared = same.map((each) => ({
        ...each,
        difference: differenceOf(each.line, each.there, each.here),
      }));
      const agreeing = compared.filter(({ difference }) => difference === undefined);
      const differing = compared.flatMap(({ difference, ...each }) =>
        difference === undefined || isChangePending(each, orders) ? [] : [{ line: each.line, difference }],
      );
      await deleteDifferences(
        tx.db,
        ecpdId,
        element.name,
        agreeing.map(({ line }) => line.imsi),
      );
      const rows = differing.map(({ line, difference }) => ({
        imsi: line.imsi,
        accountName: line.accountName,
        deviceId: line.deviceId,
        ...difference,
      }));
      await insertDifferences(tx.db, ecpdId, element.name, rows, tx.now());
      if (repair) {
        const route = { element: element.name, afterwards: connected.afterwards };
        const wanted = differing.map(({ line }) => ({ line, route }));
        await placeOrders(tx, ecpdId, network, wanted, { cause: 'repair' });
      }
      return {
        differences: differing.length,
        compared: compared.map(({ line }) => line.deviceId),
        unanswered,
      };
    },
    ecpdId,
  );
}

const toGone = (ids: KnownLine): WantedLine =>
  goneFrom({
    deviceId: ids.deviceId,
    accountName: ids.accountName,
    imsi: ids.imsi,
    ...(ids.msisdn !== null && { msisdn: ids.msisdn }),
    wanted: 'gone',
  });

async function checkPage(
  ctx: Ctx,
  ecpdId: string,
  rows: readonly NetworkLine[],
  checking: Checking,
): Promise<void> {
  const found: Compared[] = [];
  const lines = rows.flatMap((row) => wantedOf(row) ?? []);
  const routes = await checking.network.routesOf(ctx.db, ecpdId, lines);
  const pending = new Map<string, number>();
  for (const connected of checking.elements.filter(({ element }) => element.read !== undefined)) {
    const own = lines.filter(({ deviceId }) =>
      routes.get(deviceId)?.some(({ element }) => element === connected.element.name),
    );
    for (const { deviceId } of own) pending.set(deviceId, (pending.get(deviceId) ?? 0) + 1);
    const expected = own.map((line) => ({ line, here: line.wanted }));
    if (expected.length > 0) found.push(await compare(ctx, ecpdId, connected, expected, checking));
  }
  for (const deviceId of found.flatMap(({ compared }) => compared))
    pending.set(deviceId, pending.get(deviceId)! - 1);
  const checked = [...pending.values()].filter((elements) => elements === 0).length;
  const unanswered = new Set(found.flatMap((each) => each.unanswered)).size;
  await checking.onPage({
    checked,
    skipped: rows.length - checked - unanswered,
    differences: found.reduce((sum, { differences }) => sum + differences, 0),
    unanswered,
    silent: checking.silent.names(),
  });
}

/** Compares the present and deleted lines of an account with their elements. */
export async function checkAccount(ctx: Ctx, tenant: Tenant, checking: Checking): Promise<void> {
  const { ecpdId } = tenant;
  for (let after: string | undefined = NIL_UUID; after !== undefined; ) {
    checking.signal.throwIfAborted();
    const page: readonly NetworkLine[] = await listLinesOfAccount(ctx.db, tenant, { after, limit: PAGE });
    await checkPage(ctx, ecpdId, page, checking);
    after = page.length < PAGE ? undefined : page.at(-1)?.deviceId;
  }
  for (const connected of checking.elements.filter(({ element }) => element.read !== undefined)) {
    const element = connected.element.name;
    for (let after: string | undefined = ''; after !== undefined; ) {
      checking.signal.throwIfAborted();
      const page: readonly KnownLine[] = await listDeletedLines(ctx.db, tenant, {
        element,
        after,
        limit: PAGE,
      });
      const expected = page.map((ids) => ({ line: toGone(ids), here: 'unknown' as const }));
      if (expected.length > 0) {
        const { differences, unanswered } = await compare(ctx, ecpdId, connected, expected, checking);
        await checking.onPage({
          ...{ checked: 0, skipped: 0, differences, unanswered: unanswered.length },
          silent: checking.silent.names(),
        });
      }
      after = page.length < PAGE ? undefined : page.at(-1)?.imsi;
    }
  }
}
