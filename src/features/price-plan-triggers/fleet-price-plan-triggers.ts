import type { Ctx } from '../../platform/context/context.ts';
import { sql } from '../../platform/db/sql.ts';
import type { FleetSection, Found } from '../../platform/fleet-document/section.ts';
import { resolveIds } from '../../platform/fleet-document/verify-entries.ts';
import { effectiveContent } from './parsing/effective.ts';
import { parseNotification } from './parsing/parse-notification.ts';
import { parseRule } from './parsing/parse-rule.ts';
import type { Problem } from './parsing/parse-values.ts';
import { type KeepLevels, type PricePlanTrigger, TRIGGERS_PER_PROFILE_MAX } from './price-plan-trigger.ts';
import { findBrokenReferences, findMissingGroups } from './references.ts';
import { PricePlanTriggerEntry, TRIGGER_CATEGORY } from './schemas.ts';
import { COLUMNS, concernsOnly } from './sql.ts';
import { listMerged, listStagedRules, lockMerged, numberedNew, upsertTriggers } from './sql-merge.ts';

const NEEDED = ['triggerName', 'pricePlanTrigger', 'notification'] as const;
const SAME_NAME = sql`t.trigger_name = s.body->>'triggerName'`;
/** A rule can name ten thousand accounts, so only this many rules are held at a time. */
const RULES_PAGE = 100;

function* problemsOf(entry: PricePlanTriggerEntry): Generator<Problem> {
  const { triggerId, triggerName, pricePlanTrigger, notification } = entry;
  if ((triggerId ?? triggerName) === undefined)
    yield { path: '/triggerName', detail: 'is missing, and so is triggerId: one of them is needed' };
  if (pricePlanTrigger !== undefined) yield* parseRule(pricePlanTrigger).problems ?? [];
  if (notification !== undefined) yield* parseNotification(notification).problems ?? [];
}

async function findBroken({ db }: Ctx): Promise<readonly Found[]> {
  const found: Found[] = [];
  let after = -1;
  for (;;) {
    const staged = await listStagedRules(db, after, RULES_PAGE);
    const owned = staged.flatMap(({ position, ecpdId, pricePlanTrigger }) => {
      const rule = parseRule(pricePlanTrigger).value;
      return rule === undefined ? [] : [{ position, ecpdId, rule }];
    });
    const notified = staged.flatMap(({ position, ecpdId, notification }) => {
      const notifies = parseNotification(notification ?? undefined).value;
      return notifies === undefined ? [] : [{ position, ecpdId, notifies }];
    });
    const broken = await findBrokenReferences(db, owned);
    const missing = await findMissingGroups(db, notified);
    found.push(
      ...owned.flatMap(({ position }, i) => broken[i]!.map((problem) => ({ position, ...problem }))),
      ...notified.flatMap(({ position }, i) => missing[i]!.map((problem) => ({ position, ...problem }))),
    );
    const last = staged.at(-1);
    if (last === undefined || staged.length < RULES_PAGE) return found;
    after = last.position;
  }
}

export const pricePlanTriggersSection = (levels: KeepLevels): FleetSection => ({
  name: 'pricePlanTriggers',
  tenant: 'profile',
  isLast: true,
  entry: PricePlanTriggerEntry,
  check: (entry: PricePlanTriggerEntry) => [...problemsOf(entry)],
  prepare: (_ctx, { triggerId, ...entry }: PricePlanTriggerEntry) => ({
    ...entry,
    ...effectiveContent(entry),
    ...(triggerId !== undefined && { triggerId: triggerId.toLowerCase() }),
  }),

  verify: [
    {
      path: '/triggerId',
      detail: 'is needed: several triggers have this name',
      condition: (ecpdId) => sql`not s.body ? 'triggerId' and 1 < (
        select count(*) from price_plan_trigger t where t.ecpd_id = ${ecpdId} and ${SAME_NAME})`,
    },
    resolveIds('pricePlanTriggers', 'triggerId', {
      kept: sql`price_plan_trigger`,
      id: sql`t.trigger_id`,
      same: SAME_NAME,
    }),
    {
      path: '/triggerName',
      unique: sql`s.ecpd_id, coalesce(s.body->>'triggerId', s.body->>'triggerName'), s.body ? 'triggerId'`,
    },
    ...NEEDED.map((name) => ({
      path: `/${name}`,
      detail: 'is needed for a new trigger',
      from: (ecpdId: string) => sql`staged s
        left join price_plan_trigger t on t.ecpd_id = ${ecpdId} and t.trigger_id = (s.body->>'triggerId')::uuid`,
      condition: sql`t.trigger_id is null and not s.body ? ${name}`,
    })),
    {
      path: '',
      detail: `is one more than the ${TRIGGERS_PER_PROFILE_MAX} that a profile may have`,
      from: numberedNew,
      condition: sql`s.number > ${TRIGGERS_PER_PROFILE_MAX}`,
    },
    { find: findBroken },
  ],

  async write(ctx, ecpdId) {
    const { positions, triggerIds, accountNames } = await listMerged(ctx.db, ecpdId);
    if (positions.length === 0) return;
    await levels.holdAccounts(ctx, ecpdId, triggerIds, accountNames);
    await lockMerged(ctx.db, ecpdId, triggerIds);
    await levels.refresh(ctx, ecpdId, await upsertTriggers(ctx, ecpdId, positions, ctx.now()));
  },

  export: {
    select: COLUMNS,
    from: sql`price_plan_trigger t`,
    alias: 't',
    key: ['ecpd_id', 'trigger_id'],
    where: concernsOnly,
    entryOf: ({ ecpdId, triggerId, triggerName, active, body }: PricePlanTrigger) => ({
      ...{ triggerId, triggerName, ecpdId, triggerCategory: TRIGGER_CATEGORY },
      ...body,
      active,
    }),
  },
});
