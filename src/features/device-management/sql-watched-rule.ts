import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import { RULES_PER_DEVICE_MAX } from './limits.ts';

export interface WatchedRule {
  readonly ruleId: string;
  readonly deviceId: string;
  readonly accountName: string;
  readonly foreignId: string;
  readonly name: string;
  readonly versionId: string;
}

/** Identifies one version of a rule. */
export interface StampedRule {
  readonly ruleId: string;
  readonly deviceId: string;
  /** Changes with every write of the row, even if the values stay the same. */
  readonly stamp: string;
}

interface RuleText extends WatchedRule, StampedRule {
  readonly rulesyntax: unknown;
  readonly rulechain: unknown;
  readonly chars: number;
}

const AS_WATCHED = sql`
  rule_id as "ruleId", device_id as "deviceId", account_name as "accountName", foreign_id as "foreignId",
  coalesce(record->>'name', '') as name, version_id as "versionId"`;
const ENABLED = sql`record->'disabled' is distinct from 'true'::jsonb`;

const ofDevices = (ecpdId: string, deviceIds: readonly string[]): Query => sql`
  select "ruleId", "deviceId", stamp from (
    select rule_id as "ruleId", device_id as "deviceId", xmin::text as stamp, row_number() over (partition by device_id order by created_on, rule_id) as nth
    from rule where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[]) and ${ENABLED}) r
  where nth <= ${RULES_PER_DEVICE_MAX} order by r."deviceId", r.nth`;

/**
 * The enabled rules of these devices without their texts, most of which are in a cache. A device with more rules than
 * the limit has them from before there was one; its oldest rules count.
 */
export const listRulesOfDevices = (db: Db, ecpdId: string, deviceIds: readonly string[]) =>
  db.many<StampedRule>(ofDevices(ecpdId, deviceIds));

export const listRuleTexts = (db: Db, ecpdId: string, ruleIds: readonly string[]) =>
  db.many<RuleText>(sql`
    select ${AS_WATCHED}, xmin::text as stamp, record->'rulesyntax' as rulesyntax, record->'rulechain' as rulechain,
      coalesce(length(record->>'rulechain'), 0) as chars
    from rule where ecpd_id = ${ecpdId} and rule_id = any(${plainArray(ruleIds)}::uuid[])`);

/** Which of these rules exist, and whether they are disabled. */
export const listRuleSwitches = (db: Db, ecpdId: string, ruleIds: readonly string[]) =>
  db.many<{ readonly ruleId: string; readonly disabled: boolean }>(sql`
    select rule_id as "ruleId", not (${ENABLED}) as disabled
    from rule where ecpd_id = ${ecpdId} and rule_id = any(${plainArray(ruleIds)}::uuid[])`);
