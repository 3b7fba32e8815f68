import { type EcpdId, isAccountName } from '../../../kernel/account-name.ts';
import type { Ctx, Principal } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { sql } from '../../../platform/db/sql.ts';
import { triggerDialect } from '../../../platform/http/dialects.ts';
import { pricePlanTriggerFaults } from '../errors.ts';
import { findProfiles } from '../references.ts';
import type { Rule } from '../rule.ts';

const { denied, accountUnknownInBody } = triggerDialect.faults;

/** The profile that the body names, which must be one of the caller's, or else the caller's only one. */
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

const hasOtherAccounts = async ({ db }: Ctx, { accounts }: Principal, ecpdId: string): Promise<boolean> =>
  (
    await db.one<{ found: boolean }>(sql`
      select exists (select from account where ecpd_id = ${ecpdId}
        and account_name <> all(${[...accounts.keys()]}::text[])) as found`)
  ).found;

/** A trigger acts on lines: whoever writes it may use every account that it names, or all where it is on a group share. */
export async function requireAccess(ctx: Ctx, user: Principal, ecpdId: string, rule: Rule): Promise<void> {
  if (rule.kind !== 'payAsYouGo') {
    if (await hasOtherAccounts(ctx, user, ecpdId)) refuse(denied);
    return;
  }
  const strange = rule.accountNames.filter((name) => !isAccountName(name) || !user.accounts.has(name));
  if (strange.length === 0) return;
  const known = await findProfiles(ctx.db, strange);
  refuse(known.size > 0 ? denied : accountUnknownInBody);
}
