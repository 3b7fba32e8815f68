import { type Ctx, inTx, type Tenant } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { textOf } from '../../../platform/json/exact-json.ts';
import { lockAccountOfDevices } from '../../carrier-requests/index.ts';
import { recordFaults } from '../errors.ts';
import { RULES_PER_DEVICE_MAX } from '../limits.ts';
import { findOneDevice } from '../querying/find-device.ts';
import { evaluationOf } from '../querying/query-records.ts';
import type { WireRecord } from '../querying/wire.ts';
import { changeOwn, createOwn, deleteOwn, lockOwnRecord, type Written } from './own-record.ts';
import { parseRuleFields } from './parse-fields.ts';
import type { DeleteRuleBody, PutRuleBody } from './schemas.ts';
import { countRulesOf, deleteRuleRow, insertRule, replaceRule } from './sql-write.ts';

const inBody = (id: string) => ({ kind: 'rule', id, cause: 'resourceidentifier.id' }) as const;

const idIn = ({ resourceidentifier }: Pick<PutRuleBody, 'resourceidentifier'>): string | undefined =>
  textOf(resourceidentifier?.id ?? undefined);

const withEvaluation = ({ stored, wire }: Written): WireRecord => ({ ...wire, ...evaluationOf(stored) });

/** Takes every field of the rule from the body; id, device, foreign id and creation stay. */
const overwriteRule = (ctx: Ctx, tenant: Tenant, id: string, { versionid, rule }: PutRuleBody) => {
  const named = { ...inBody(id), seen: [versionid, rule.versionid] };
  return changeOwn(ctx, tenant, 'overwriteRule', named, (present, at) =>
    replaceRule(ctx.db, tenant, present.id, parseRuleFields(rule), at),
  );
};

const createRule = async (ctx: Ctx, tenant: Tenant, { resourceidentifier, rule }: PutRuleBody) => {
  const record = parseRuleFields(rule);
  const resource = rule.deviceid === undefined ? resourceidentifier : { deviceid: rule.deviceid };
  if (resource === undefined) return refuse(recordFaults.deviceMissing, { cause: 'rule.deviceid' });
  const { id: deviceId, kind } = await findOneDevice(ctx.db, tenant, resource);
  await lockAccountOfDevices(ctx.db, tenant);
  await lockOwnRecord(ctx, tenant, { kind, id: deviceId, cause: 'rule.deviceid' });
  if ((await countRulesOf(ctx.db, tenant, deviceId, RULES_PER_DEVICE_MAX)) >= RULES_PER_DEVICE_MAX)
    refuse(recordFaults.tooManyRules, { cause: 'rule.deviceid' });
  const [ruleId, versionId] = [ctx.newId(), ctx.newId()];
  return createOwn(ctx, tenant, 'createRule', inBody(ruleId), (at) =>
    insertRule(ctx.db, tenant, { ruleId, deviceId, versionId }, record, at),
  );
};

/** With a rule id, overwrites that rule; without one, creates a rule on the named device. */
export const putRule = (outer: Ctx, tenant: Tenant, body: PutRuleBody): Promise<WireRecord> =>
  inTx(outer, async (ctx) => {
    const id = idIn(body);
    return withEvaluation(
      id === undefined ? await createRule(ctx, tenant, body) : await overwriteRule(ctx, tenant, id, body),
    );
  });

/** Returns the last record. */
export const deleteRule = (outer: Ctx, tenant: Tenant, body: DeleteRuleBody): Promise<WireRecord> =>
  inTx(outer, async (ctx) => {
    const named = { ...inBody(idIn(body) ?? body.id ?? ''), seen: body.versionid };
    return withEvaluation(
      await deleteOwn(ctx, tenant, 'deleteRule', named, ({ id }) => deleteRuleRow(ctx.db, tenant, id)),
    );
  });
