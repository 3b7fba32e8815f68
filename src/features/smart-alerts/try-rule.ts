import type { Db } from '../../platform/db/db.ts';
import { type Compared, compareWith, parseRule } from '../device-management/index.ts';
import { latestReadingsOf } from './sql-reading.ts';

interface Trial {
  readonly active: boolean;
  /** Why it would not be evaluated. */
  readonly reason?: string;
  /** Whether its condition holds for what the device told last; undefined where that does not say. */
  readonly holds?: boolean;
  readonly compared: readonly Compared[];
  /** When the device last told something. */
  readonly at: Date | null;
  /** The fields that it has told, by which a condition can be written. */
  readonly fields: readonly string[];
}

/** What a rule would say of a device now, if it were written so. Writes nothing. */
export async function tryRule(
  db: Db,
  { ecpdId, deviceId }: { readonly ecpdId: string; readonly deviceId: string },
  { rulesyntax, rulechain }: { readonly rulesyntax: string; readonly rulechain: unknown },
): Promise<Trial> {
  const [latest] = await latestReadingsOf(db, ecpdId, [deviceId]);
  const values = latest?.values ?? {};
  const known = { at: latest?.at ?? null, fields: Object.keys(values) };
  // A saved rule is evaluated with numbers as JavaScript reads them.
  const read = parseRule(rulesyntax, JSON.parse(JSON.stringify(rulechain)));
  if (!read.evaluable) return { active: false, reason: read.reason, compared: [], ...known };
  // Nothing was told before it that it could differ from.
  const holds = read.when?.({ values, before: values });
  const compared = compareWith(read.comparisons, values);
  return { active: true, ...(holds !== undefined && { holds }), compared, ...known };
}
