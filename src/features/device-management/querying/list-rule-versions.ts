import { listChangesOf } from '../../../platform/context/audit.ts';
import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { parseExactly } from '../../../platform/json/exact-json.ts';
import type { WireRecord } from './wire.ts';

interface RuleVersion {
  readonly id: string;
  readonly at: Date;
  readonly actorKind: string;
  readonly actor: string;
  readonly change: 'created' | 'changed' | 'imported';
  /** Undefined if the rule was new. */
  readonly before: WireRecord | undefined;
  readonly after: WireRecord | undefined;
  /** Older versions follow: if versions are large, the page holds fewer than requested. */
  readonly isFollowed: boolean;
}

const CHANGES = { createRule: 'created', overwriteRule: 'changed', importRule: 'imported' } as const;
type Action = keyof typeof CHANGES;

/** Imports log whole rows: there, the owner's fields are in a column. */
function fieldsIn(text: string | null): WireRecord | undefined {
  if (text === null) return undefined;
  const state = parseExactly(text) as WireRecord;
  return (state['record'] as WireRecord | undefined) ?? state;
}

/** The versions of a rule, newest first, as far back as the audit log goes. */
export async function listRuleVersions(
  { db }: Ctx,
  tenant: Tenant,
  ruleId: string,
  page: { readonly before: bigint | undefined; readonly limit: number },
): Promise<readonly RuleVersion[]> {
  const actions = Object.keys(CHANGES) as Action[];
  const changes = await listChangesOf(db, { ...page, tenant, target: ruleId, actions });
  return changes.map(({ action, before, after, ...rest }) => ({
    ...rest,
    change: CHANGES[action],
    before: fieldsIn(before),
    after: fieldsIn(after),
  }));
}
