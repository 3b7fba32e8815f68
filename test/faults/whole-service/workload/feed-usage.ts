import assert from 'node:assert/strict';
import type { SeededRandom } from '../../../support/seeded-random.ts';
import type { OutsideClient } from '../outside-client.ts';
import { TENANTS, type Tenant } from '../tenants.ts';
import { add, type Diary } from './diary.ts';

/** Every seventh is a use of a service: no number of devices, so that each of them has data too. */
const USE_EVERY = 7;
const WINDOW = 120;
/** As much of each file stands in the next one too. */
const OVERLAP = 40;

export interface UsageRecord {
  readonly id: string;
  readonly tenant: Tenant;
  readonly device: string;
  readonly bytes: number;
  readonly serviceName?: string;
}

export const usesOf = (records: number) => Math.floor(records / USE_EVERY);

/** Of all tenants by turns; `records` of each. */
export function makeRecords(random: SeededRandom, records: number): UsageRecord[] {
  return Array.from({ length: records * TENANTS.length }, (_, n) => {
    const tenant = TENANTS[n % TENANTS.length]!;
    const nth = Math.floor(n / TENANTS.length);
    const { fed } = tenant.devices;
    const record = {
      id: `u${tenant.n}-${nth}`,
      tenant,
      device: fed[nth % fed.length]!,
      bytes: random.between(2_000, 4_000),
    };
    return nth % USE_EVERY === USE_EVERY - 1 ? { ...record, serviceName: 'fota' } : record;
  });
}

/** Files that overlap, each with when it may be sent: the backward ones meet the forward ones in the middle. */
export function makeFiles(records: readonly UsageRecord[]): UsageRecord[][] {
  const files: UsageRecord[][] = [];
  for (let from = 0; from < records.length; from += WINDOW - OVERLAP)
    files.push(records.slice(from, from + WINDOW));
  return files;
}

/** Sends these files in turn until the last is answered; what is counted is counted by id, and so once. */
export async function feedFiles(
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

/** When every file was answered all records are there. */
export function noteRecords(diary: Diary, records: readonly UsageRecord[]): void {
  for (const { tenant, device, bytes, serviceName } of records)
    if (serviceName === undefined) add(diary.usedBytes, device, bytes);
    else add(diary.serviceUses, tenant.n, 1);
}
