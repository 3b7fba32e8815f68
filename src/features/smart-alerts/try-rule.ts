import type { Db } from '../../platform/db/db.ts';
import { type Compared, compareWith, parseRule } from '../device-management/index.ts';
import { latestReadingsOf } from './sql-reading.ts';

interface Trial {
  readonly active: boolean;
  /** Why it would not be evaluated. */
  readonly reason?: string;
  /** Whether its condition holds for the last reading of the device; undefined if the reading does not decide it. */
  readonly holds?: boolean;
  readonly compared: readonly Compared[];
  /** The time of the last reading. */
  readonly at: Date | null;
  /** The fields that the device has sent, for use in a condition. */
  readonly fields: readonly string[];
}

/** The present result for a device if the rule were written like this. Writes nothing. */
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
  // There is no earlier reading to compare with.
  const holds = read.when?.({ values, before: values });
  const compared = compareWith(read.comparisons, values);
  return { active: true, ...(holds !== undefined && { holds }), compared, ...known };
}
