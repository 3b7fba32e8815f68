import { sql } from '../../src/platform/db/sql.ts';
import type { Side } from './cluster-scene.ts';
import { alone, type Finding } from './report.ts';

/** The tables in which an imported device has rows. */
const OF_DEVICES = ['device_identifier', 'audit_entry', 'device', 'line_change', 'device_plan'];

/** Bytes of a table with its indexes, for each row of the table `of`. */
const bytesEach = async ({ db }: Side, table: string, of: string): Promise<Finding> => {
  const { bytes } = await db.one<{ bytes: number }>(sql`
    select coalesce((select sum(pg_total_relation_size(relid)) from pg_partition_tree(${table}::regclass)),
        pg_total_relation_size(${table}::regclass))::float8 / greatest(1,
      (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I', ${of}::text), true, true, '')))[1]::text::int)
      as bytes`);
  return alone(`Bytes of ${table} with its indexes for each row of ${of}, plain server`, [Math.round(bytes)]);
};

/** For use right after the import, on the plain server, whose tables are not distributed. */
export const sizesOfDevices = async (plain: Side): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const table of OF_DEVICES) findings.push(await bytesEach(plain, table, 'device'));
  return findings;
};

export const sizesOfUsage = async (plain: Side): Promise<Finding[]> => [
  await bytesEach(plain, 'usage_record', 'usage_record_id'),
  await bytesEach(plain, 'usage_record_id', 'usage_record_id'),
  await bytesEach(plain, 'usage_device_month', 'usage_device_month'),
];
