import type { EcpdId } from '../../../kernel/account-name.ts';
import type { Cycle, LocalDay } from '../../../kernel/bill-cycle.ts';
import { calendarOf, dateOf } from '../../../kernel/calendar.ts';
import { type Ctx, inTx, type Principal } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { concurrencyLimit } from '../../../platform/flow-control/limits.ts';
import {
  checkContent,
  fromWireContent,
  type PlacedRule,
  parseRule,
  placeRules,
  profileOf,
} from '../../price-plan-triggers/index.ts';
import { findLedgerStart } from '../../usage/index.ts';
import { accountsOf } from '../closings/schedule.ts';
import { backtestFaults } from '../errors.ts';
import type { CycleAccount, TriggerLevels } from '../levels/level.ts';
import type { BacktestBody } from '../schemas.ts';
import type { Period } from './counters.ts';
import { listCycleAccounts } from './sql-past.ts';

const TIME_MS = 60_000;
const DAYS_MAX = 92;
const DAY_MS = 86_400_000;

const isDay = (day: LocalDay) =>
  !Number.isNaN(Date.parse(`${day}T00:00:00Z`)) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);

function checkPeriod({ from, to }: Period): void {
  const wrong = (reason: string) => refuse(backtestFaults.invalidPeriod, { reason });
  if (!isDay(from) || !isDay(to)) wrong('period.from and period.to are days like 2026-01-31');
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) wrong('period.to is before period.from');
  if (days > DAYS_MAX) wrong(`the period has more than ${DAYS_MAX} days`);
}

/** Counters cover whole cycles, so the first cycle must also be complete in the ledger. */
function requireLedger(
  startsOn: LocalDay | undefined,
  { from }: Period,
  cycles: readonly { readonly accountName: string; readonly cycle: Cycle }[],
  accounts: ReadonlyMap<string, CycleAccount>,
): void {
  if (startsOn === undefined) return;
  const begins = cycles.flatMap(({ accountName, cycle }) => {
    const account = accounts.get(accountName);
    if (account === undefined) return [];
    const { cycleAt, dayAt, startOf } = calendarOf(account);
    return [dateOf(dayAt(cycleAt(cycle, startOf(from)).fromMs))];
  });
  if (begins.some((day) => day < startsOn))
    refuse(backtestFaults.invalidPeriod, {
      reason: `the records of cycles that begin before ${startsOn} are no longer kept`,
    });
}

/** The accounts whose cycles a rule counts in; refused unless the ledger goes back far enough for all of them. */
export async function accountsOfLevels(
  { db }: Ctx,
  ecpdId: EcpdId,
  { counters, sums, closings }: TriggerLevels,
  period: Period,
): Promise<ReadonlyMap<string, CycleAccount>> {
  const cycles = [
    ...counters,
    ...sums.map(({ cycleAccount, cycle }) => ({ accountName: cycleAccount, cycle })),
    ...closings,
  ];
  const names = new Set([...cycles.map(({ accountName }) => accountName), ...closings.flatMap(accountsOf)]);
  const accounts = new Map(
    (await listCycleAccounts(db, ecpdId, [...names])).map((account) => [account.accountName, account]),
  );
  requireLedger(await findLedgerStart(db, { ecpdId }), period, cycles, accounts);
  return accounts;
}

/** A rule to evaluate, with what it refers to now. */
interface PastRule {
  readonly ecpdId: EcpdId;
  readonly placed: PlacedRule;
  readonly signal: AbortSignal;
}

/** Each evaluation may keep a connection busy for a minute; the other connections stay free for urgent calls. */
const concurrency = concurrencyLimit(2);

/** Evaluates a past period with a rule, in one snapshot; nothing is written. */
export const evaluatePast = <T>(
  ctx: Ctx,
  user: Principal,
  body: BacktestBody,
  evaluate: (ctx: Ctx, rule: PastRule) => Promise<T>,
): Promise<T> =>
  concurrency.run(async () => {
    const ecpdId = profileOf(user, body.ecpdId);
    const content = fromWireContent(body);
    await inTx(ctx, (inner) => checkContent(inner, user, ecpdId, content));
    checkPeriod(body.period);
    const rule = parseRule(content.pricePlanTrigger).value!;
    const signal = AbortSignal.timeout(TIME_MS);
    return ctx.db.tx(
      async (db) => {
        await db.allowTime(TIME_MS);
        const inner = { ...ctx, db };
        const placed = (await placeRules(inner, ecpdId, [rule]))(rule);
        return evaluate(inner, { ecpdId, placed, signal });
      },
      { isolation: 'repeatable read', readOnly: true },
    );
  });
