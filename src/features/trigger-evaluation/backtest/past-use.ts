import { dateOf } from '../../../kernel/calendar.ts';
import { isUuid } from '../../../kernel/uuid.ts';
import type { Ctx, Principal } from '../../../platform/context/context.ts';
import { nameLines } from '../../firings/index.ts';
import { replayDays } from '../../usage/index.ts';
import type { CycleAccount } from '../levels/level.ts';
import { levelsOf } from '../levels/levels-of.ts';
import type { PastUseBody, WirePastUse } from '../schemas.ts';
import { calendarsOf, type Period } from './counters.ts';
import { accountsOfLevels, evaluatePast } from './past-rule.ts';
import { listPools } from './sql-past.ts';
import { type Watched, watchedBy } from './watched.ts';

type Asked = PastUseBody['of'];
type Use = NonNullable<WirePastUse['use']>;

/** The counters that are asked for, or all. */
const askedOf = (watched: readonly Watched[], of: Asked): readonly Watched[] =>
  of === undefined
    ? watched
    : watched.filter(({ scope, subject, accountName }) =>
        scope === 'device' ? accountName === of.accountName : subject === of.subject,
      );

/** Adds thresholds in bytes. Those of pools depend on the lines that they have now. */
async function withThresholds({ db }: Ctx, ecpdId: string, watched: readonly Watched[]) {
  const isOfPool = watched.some(({ levels }) => levels.some((level) => level.thresholdBytes === undefined));
  const pools = isOfPool
    ? await listPools(
        db,
        ecpdId,
        watched.map(({ members }) => members),
      )
    : [];
  return watched.map(({ levels, ...counter }, nth) => ({
    ...counter,
    levels: levels.map(({ thresholdBytes, ...level }) => ({
      ...level,
      thresholdBytes: thresholdBytes ?? ((pools[nth] ?? 0) * level.level) / 100,
    })),
  }));
}

/** The counter on each day, since the beginning of its cycle. */
function countDays(
  { from, to }: Period,
  calendar: ReturnType<typeof calendarsOf>['days'],
  used: ReadonlyMap<string, number>,
): Use['days'] {
  let [opensAt, countedBytes] = [0, 0];
  return calendar.flatMap(({ day, opensAt: at }) => {
    if (at.getTime() !== opensAt) [opensAt, countedBytes] = [at.getTime(), 0];
    const bytes = used.get(day) ?? 0;
    countedBytes += bytes;
    return dateOf(day) < from || dateOf(day) > to ? [] : [{ day: dateOf(day), bytes, countedBytes }];
  });
}

async function findUse(
  ctx: Ctx,
  ecpdId: string,
  watched: Awaited<ReturnType<typeof withThresholds>>,
  accounts: ReadonlyMap<string, CycleAccount>,
  { period, of }: Pick<PastUseBody, 'period' | 'of'>,
): Promise<Use | undefined> {
  const { days, calendarOf } = calendarsOf(period, accounts);
  const members = watched.flatMap((one, counter) => {
    const calendar = calendarOf(one.accountName, one.cycle);
    return one.members.map((member) => ({
      ...member,
      counter,
      calendar,
      isOwn: member.accountName === one.accountName,
    }));
  });
  const perLine = watched[0]?.scope === 'device';
  const isLine = perLine && of !== undefined && isUuid(of.subject);
  const measures = watched.flatMap(({ levels }, counter) => {
    const least = Math.min(...levels.map(({ thresholdBytes }) => thresholdBytes));
    return Number.isFinite(least) ? [{ counter, bytes: least }] : [];
  });
  const least = watched.every(({ levels }) => levels.every((level) => level.below));
  const asked = {
    members,
    days,
    ...period,
    perLine,
    measures,
    least,
    deviceId: isLine ? of.subject : undefined,
  };
  const counted = members.length === 0 ? [] : await replayDays(ctx.db, ecpdId, asked);
  const chosen = watched[counted[0]?.counter ?? 0];
  const subject = chosen?.subject ?? counted[0]?.deviceId ?? (isLine ? of.subject.toLowerCase() : undefined);
  if (chosen === undefined || subject === undefined) return undefined;
  const {
    scope,
    accountName,
    cycle,
    levels,
    members: [first],
  } = chosen;
  const calendar = calendarOf(accountName, cycle);
  const used = new Map(counted.map(({ day, bytes }) => [day, bytes]));
  const [named] = await nameLines(ctx.db, ecpdId, [{ subject, accountName }]);
  return {
    ...named!,
    scope,
    cycle,
    ...(scope === 'device' && first && { planCode: first.planCode }),
    levels: [...levels],
    days: countDays(
      period,
      days.filter((one) => one.calendar === calendar),
      used,
    ),
  };
}

/** What a rule would have counted day by day, for one of its counters: the requested one, or the one closest to a level. */
export const readPastUse = (ctx: Ctx, user: Principal, body: PastUseBody): Promise<WirePastUse> =>
  evaluatePast(ctx, user, body, async (inner, { ecpdId, placed }) => {
    const levels = levelsOf(placed);
    const accounts = await accountsOfLevels(inner, ecpdId, levels, body.period);
    const there = watchedBy(levels).filter(({ accountName }) => accounts.has(accountName));
    const watched = await withThresholds(inner, ecpdId, askedOf(there, body.of));
    const use = await findUse(inner, ecpdId, watched, accounts, body);
    return use === undefined ? {} : { use };
  });
