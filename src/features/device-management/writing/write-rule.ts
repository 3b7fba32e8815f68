import { type Ctx, inTx, type Tenant } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { textOf } from '../../../platform/json/exact-json.ts';
import { lockAccountOfDevices } from '../../carrier-requests/index.ts';
import { recordFaults } from '../errors.ts';
import { RULES_PER_DEVICE_MAX } from '../limits.ts';
import { findOneDevice } from '../querying/find-device.ts';
import { evaluationOf } from '../querying/query-records.ts';
import type { StoredRecord } from '../querying/stored-record.ts';
import { toWireRecord, type WireRecord } from '../querying/wire.ts';
import { auditChange } from './audit-change.ts';
import { lockOwnRecord } from './lock-own-record.ts';
import { readRuleFields } from './read-fields.ts';
import type { DeleteRuleBody, PutRuleBody } from './schemas.ts';
import { countRulesOf, deleteRuleRow, insertRule, replaceRule } from './sql-rule.ts';

const CAUSE = 'resourceidentifier.id';

const idIn = ({ resourceidentifier }: Pick<PutRuleBody, 'resourceidentifier'>): string | undefined =>
  textOf(resourceidentifier?.id ?? undefined);

const toWire = (tenant: Tenant, rule: StoredRecord): WireRecord => toWireRecord(rule, tenant.accountName);

/** Every field of the rule is what the body says; id, device, foreign id and creation stay. */
const overwriteRule = async (ctx: Ctx, tenant: Tenant, id: string, body: PutRuleBody) => {
  const named = { id, cause: CAUSE };
  const present = await lockOwnRecord(ctx, tenant, 'rule', named, body.versionid, body.rule.versionid);
  const at = ctx.now();
  await replaceRule(ctx.db, tenant, present.id, readRuleFields(body.rule), at);
  const written = await lockOwnRecord(ctx, tenant, 'rule', named);
  await auditChange(ctx, tenant, 'overwriteRule', {
    at,
    before: toWire(tenant, present),
    after: toWire(tenant, written),
  });
  return written;
};

const createRule = async (ctx: Ctx, tenant: Tenant, { resourceidentifier, rule }: PutRuleBody) => {
  const record = readRuleFields(rule);
  const resource = rule.deviceid === undefined ? resourceidentifier : { deviceid: rule.deviceid };
  if (resource === undefined) return refuse(recordFaults.deviceMissing, { cause: 'rule.deviceid' });
  const { id: deviceId, kind } = await findOneDevice(ctx.db, tenant, resource);
  await lockAccountOfDevices(ctx.db, tenant);
  await lockOwnRecord(ctx, tenant, kind, { id: deviceId, cause: 'rule.deviceid' });
  if ((await countRulesOf(ctx.db, tenant, deviceId, RULES_PER_DEVICE_MAX)) >= RULES_PER_DEVICE_MAX)
    refuse(recordFaults.tooManyRules, { cause: 'rule.deviceid' });
  const ruleId = ctx.newId();
  const at = ctx.now();
  await insertRule(ctx.db, tenant, { ruleId, deviceId }, record, at);
  const written = await lockOwnRecord(ctx, tenant, 'rule', { id: ruleId, cause: CAUSE });
  await auditChange(ctx, tenant, 'createRule', { at, after: toWire(tenant, written) });
  return written;
};

/** With the id of a rule it overwrites that rule; without one it makes a new rule on the device that is named. */
export const putRule = (outer: Ctx, tenant: Tenant, body: PutRuleBody): Promise<WireRecord> =>
  inTx(outer, async (ctx) => {
    const id = idIn(body);
    const written =
      id === undefined ? await createRule(ctx, tenant, body) : await overwriteRule(ctx, tenant, id, body);
    return { ...toWire(tenant, written), ...evaluationOf(written) };
  });

/** Answers the record as it was. */
export const deleteRule = (outer: Ctx, tenant: Tenant, body: DeleteRuleBody): Promise<WireRecord> =>
  inTx(outer, async (ctx) => {
    const id = idIn(body) ?? body.id ?? '';
    const present = await lockOwnRecord(ctx, tenant, 'rule', { id, cause: CAUSE }, body.versionid);
    const before = toWire(tenant, present);
    await deleteRuleRow(ctx.db, tenant, present.id);
    await auditChange(ctx, tenant, 'deleteRule', { before });
    return { ...before, ...evaluationOf(present) };
  });
