import assert from 'node:assert/strict';
import type { SeededRandom } from '../../../support/seeded-random.ts';
import type { OutsideClient } from '../outside-client.ts';
import { TENANTS, type Tenant } from '../tenants.ts';
import { add, bytesKey, type Diary, usesKey } from './diary.ts';

/** Every seventh record is a use of a service. Seven does not divide the number of devices, so each device also uses data. */
const USE_EVERY = 7;
const WINDOW = 120;
/** Records at the end of each file that the next one repeats. */
const OVERLAP = 40;

export interface UsageRecord {
  readonly id: string;
  readonly tenant: Tenant;
  readonly device: string;
  readonly bytes: number;
  readonly serviceName?: string;
}

export const usesOf = (records: number) => Math.floor(records / USE_EVERY);

/** Records of all tenants in rotation, `records` of each, with ids that begin with `prefix`. */
export function makeRecords(
  random: SeededRandom,
  records: number,
  { prefix = 'u', bytes: [least, most] = [2_000, 4_000] }: { prefix?: string; bytes?: [number, number] } = {},
): UsageRecord[] {
  return Array.from({ length: records * TENANTS.length }, (_, n) => {
    const tenant = TENANTS[n % TENANTS.length]!;
    const nth = Math.floor(n / TENANTS.length);
    const { fed } = tenant.devices;
    const record = {
      id: `${prefix}${tenant.n}-${nth}`,
      tenant,
      device: fed[nth % fed.length]!,
      bytes: random.between(least, most),
    };
    return nth % USE_EVERY === USE_EVERY - 1 ? { ...record, serviceName: 'fota' } : record;
  });
}

/** Makes overlapping files, which feeders send from both ends until they have passed the middle. */
function makeFiles(records: readonly UsageRecord[]): UsageRecord[][] {
  const files: UsageRecord[][] = [];
  for (let from = 0; from < records.length; from += WINDOW - OVERLAP)
    files.push(records.slice(from, from + WINDOW));
  return files;
}

/** Sends these files in order until the last is answered; the service counts records by id, and so each once. */
async function feedFiles(
  client: OutsideClient,
  diary: Diary,
  files: readonly (readonly UsageRecord[])[],
  at: Date,
  rest: () => Promise<void>,
): Promise<void> {
  for (const file of files) {
    const lines = file.map(({ tenant: _, ...record }) =>
      JSON.stringify({ ...record, kind: 'imei', at: at.toISOString() }),
    );
    const body = lines.join('\n');
    const { status, json, text } = await client.operator({
      method: 'POST',
      path: '/operator/v1/usage',
      body,
    });
    assert.equal(status, 200, text);
    assert.deepEqual(
      [json.accepted + json.duplicates, json.rejected],
      [file.length, []],
      'a feed is taken whole',
    );
    diary.feeds.push(body);
    await rest();
  }
}

/** Notes the sums after every file was answered, because then all records are stored. */
function noteRecords(diary: Diary, records: readonly UsageRecord[], at: Date): void {
  diary.months.push(at);
  for (const { tenant, bytes, serviceName } of records)
    if (serviceName === undefined) add(diary.usedBytes, bytesKey(at, tenant), bytes);
    else add(diary.uses, usesKey(at, tenant, serviceName), 1);
}

/** Two feeders start from opposite ends and pass the middle: the records there are fed by both at once. */
export async function feedFromBothEnds(
  client: OutsideClient,
  diary: Diary,
  records: readonly UsageRecord[],
  at: Date,
  rest: (files: number) => Promise<void>,
): Promise<void> {
  const files = makeFiles(records);
  const reach = Math.ceil(files.length * 0.6);
  const feeders = [files.slice(0, reach), files.toReversed().slice(0, reach)];
  await Promise.all(feeders.map((mine) => feedFiles(client, diary, mine, at, () => rest(reach))));
  noteRecords(diary, records, at);
}
