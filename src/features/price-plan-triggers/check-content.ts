import { type EcpdId, isAccountName } from '../../kernel/account-name.ts';
import type { Ctx, Principal } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { triggerDialect } from '../../platform/http/dialects.ts';
import { pricePlanTriggerFaults } from './errors.ts';
import { parseNotification } from './parsing/parse-notification.ts';
import { parseRule } from './parsing/parse-rule.ts';
import type { Problem } from './parsing/parse-values.ts';
import type { TriggerContent } from './price-plan-trigger.ts';
import { findBrokenReferences, findMissingGroups, findProfiles } from './references.ts';
import type { Rule } from './rule.ts';
import { hasOtherAccounts, lockAccounts } from './sql.ts';

const { denied, accountUnknownInBody } = triggerDialect.faults;

/** The profile named in the body, which must be one of the caller's; without a name, the caller's only profile. */
export function profileOf({ accounts }: Principal, given: string | undefined): EcpdId {
  const profiles = [...new Set(accounts.values())];
  if (given !== undefined) return profiles.find((ecpdId) => ecpdId === given) ?? refuse(denied);
  const [only, ...others] = profiles;
  if (only === undefined || others.length > 0)
    refuse(pricePlanTriggerFaults.invalid, {
      reason: 'ecpdId is required: the session has several profiles',
    });
  return only;
}

/** A trigger acts on lines: its author needs all accounts that it names, or all of the profile for a group share. */
async function requireAccess(
  { db }: Ctx,
  { accounts }: Principal,
  ecpdId: string,
  rule: Rule,
): Promise<void> {
  if (rule.kind !== 'payAsYouGo') {
    if (await hasOtherAccounts(db, ecpdId, [...accounts.keys()])) refuse(denied);
    return;
  }
  const inaccessible = rule.accountNames.filter((name) => !isAccountName(name) || !accounts.has(name));
  if (inaccessible.length === 0) return;
  const known = await findProfiles(db, inaccessible);
  refuse(known.size > 0 ? denied : accountUnknownInBody);
}

function refuseProblems([first]: readonly Problem[]): void {
  if (first === undefined) return;
  const field = first.path.slice(1).replaceAll('/', '.');
  refuse(pricePlanTriggerFaults.invalid, { reason: `${field} ${first.detail}` });
}

/** Refuses an invalid rule, one that is not the caller's, or one that names something that does not exist. */
export async function checkContent(
  ctx: Ctx,
  user: Principal,
  ecpdId: string,
  { pricePlanTrigger, notification }: TriggerContent,
): Promise<void> {
  const { value: rule, problems: inRule = [] } = pricePlanTrigger ? parseRule(pricePlanTrigger) : {};
  const { value: notifies, problems = [] } = notification ? parseNotification(notification) : {};
  refuseProblems([...inRule, ...problems]);
  if (rule !== undefined) {
    if (rule.kind === 'payAsYouGo') await lockAccounts(ctx.db, ecpdId, rule.accountNames);
    await requireAccess(ctx, user, ecpdId, rule);
    refuseProblems((await findBrokenReferences(ctx.db, [{ ecpdId, rule }])).flat());
  }
  if (notifies !== undefined)
    refuseProblems((await findMissingGroups(ctx.db, [{ ecpdId, notifies }])).flat());
}
