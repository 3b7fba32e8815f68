import assert from 'node:assert/strict';
import type { OutsideClient } from '../outside-client.ts';
import { TENANTS } from '../tenants.ts';
import { add, type Diary } from './diary.ts';

const watched = TENANTS.flatMap(({ devices }) => devices.watched);

/** Feeds one reading of each watched device, a second after the previous one, alternately hot and cold. */
export async function feedReadings(client: OutsideClient, diary: Diary, from: Date): Promise<void> {
  const nth = diary.readings.get(watched[0]!) ?? 0;
  const at = new Date(from.getTime() - 3_600_000 + nth * 1_000).toISOString();
  const lines = watched.map((device) =>
    JSON.stringify({ kind: 'imei', device, at, values: { t: nth % 2 === 0 ? 31 : 20 } }),
  );
  const { status, json, text } = await client.operator({
    method: 'POST',
    path: '/operator/v1/readings',
    body: lines.join('\n'),
  });
  assert.equal(status, 200, text);
  assert.equal(json.accepted + json.duplicates, watched.length, text);
  for (const device of watched) add(diary.readings, device, 1);
}
