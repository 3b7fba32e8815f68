import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { TENANTS, type Tenant } from '../tenants.ts';
import { askBill } from '../workload/ask.ts';
import { bytesKey, monthOf, usesKey } from '../workload/diary.ts';
import type { Outcome } from './outcome.ts';

const HEARD_EVERY_MS = 50;

async function assertLedgerIsCounters(
  { scene: { client } }: Outcome,
  { accountName }: Tenant,
): Promise<void> {
  let page: string | null = null;
  do {
    const at: string = page === null ? '' : `&page=${encodeURIComponent(page)}`;
    const answer = await client.operator({
      method: 'GET',
      path: `/operator/v1/usage/differences?accountName=${accountName}${at}`,
    });
    assert.deepEqual(
      [answer.status, answer.json.differences],
      [200, []],
      'counters are the sum of the ledger',
    );
    page = answer.headers.get('x-next');
  } while (page !== null);
}

async function billedBytes(
  { scene: { client, listeners }, diary }: Outcome,
  tenant: Tenant,
  at: Date,
): Promise<number> {
  const requestId = await askBill(client, diary, tenant, at);
  for (;;) {
    const heard = listeners.heard.find(({ text }) => text.includes(requestId));
    if (heard !== undefined) return JSON.parse(heard.text).deviceResponse.billingUsageSummary.totalUsage;
    await sleep(HEARD_EVERY_MS);
  }
}

async function assertMonth(outcome: Outcome, tenant: Tenant, at: Date): Promise<void> {
  const { diary, scene } = outcome;
  const month = monthOf(at);
  assert.equal(
    await billedBytes(outcome, tenant, at),
    diary.usedBytes.get(bytesKey(at, tenant)) ?? 0,
    `bytes on the bill of tenant ${tenant.n} of ${month}`,
  );
  for (const service of ['Location', 'fota']) {
    const { json } = await scene.client.operator({
      method: 'GET',
      path: `/operator/v1/accounts/${tenant.accountName}/statements/${service}/${month}`,
    });
    assert.equal(
      Number(json.totalTransactionCount),
      diary.uses.get(usesKey(at, tenant, service)) ?? 0,
      `uses of ${service} by tenant ${tenant.n} in ${month}`,
    );
  }
}

/** The ledger, the counters and the bill of each month equal the sum of the answered records. */
export async function assertBillsExact(outcome: Outcome): Promise<void> {
  const { months } = outcome.diary;
  assert.deepEqual(new Set(months.map(monthOf)).size, 2, 'something was used in each of two months');
  for (const tenant of TENANTS) {
    await assertLedgerIsCounters(outcome, tenant);
    for (const at of months) await assertMonth(outcome, tenant, at);
  }
}

/** Records that were reported as accepted are known when they are fed again. */
export async function assertFeedsKnown({ scene: { client }, diary }: Outcome): Promise<void> {
  for (const body of diary.feeds) {
    const { json } = await client.operator({ method: 'POST', path: '/operator/v1/usage', body });
    assert.equal(json.accepted, 0, 'a record had been lost');
  }
}
