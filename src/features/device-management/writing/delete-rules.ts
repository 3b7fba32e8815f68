import { writeAudited } from '../../../platform/context/audit.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { BeforeDeletion } from '../../devices/index.ts';

/** Before devices are deleted: their rules go with them, and each leaves a line that says how it was. */
export const deleteRulesOfDevices: BeforeDeletion = (tx, { ecpdId, accountName }, deviceIds) =>
  writeAudited(
    tx,
    'deleteRuleWithDevice',
    () => sql`held as materialized (
        select rule_id from rule
        where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = any(${plainArray(deviceIds)}::uuid[])
        order by rule_id for update),
      gone as (
        delete from rule r
        where r.ecpd_id = ${ecpdId} and r.account_name = ${accountName} and r.rule_id = any(array(select rule_id from held))
        returning r.*)`,
    sql`select g.rule_id::text as target, g.ecpd_id, g.account_name, null::jsonb as after,
          g.record || jsonb_build_object('id', g.rule_id, 'deviceid', g.device_id, 'foreignid', g.foreign_id,
            'createdon', g.created_on, 'lastupdated', g.last_updated, 'version', g.version::text,
            'versionid', g.version_id) as before
        from gone g`,
  );
