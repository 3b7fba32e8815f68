import type { SeededRandom } from '../../../support/seeded-random.ts';
import type { Asked } from '../outside-client.ts';
import type { Scene } from '../scene.ts';
import { TENANTS, type Tenant } from '../tenants.ts';
import { add, type Diary } from './diary.ts';

const REFUSALS = new Set([400, 401, 403, 404]);

/** Calls that must be refused: on another account by its name, and by correctly guessed ids. */
function strangeCalls({ accountName: own }: Tenant, { accountName }: Tenant, requestId: string): Asked[] {
  return [
    { method: 'GET', path: `/m2m/v1/accounts/${accountName}` },
    { method: 'GET', path: `/m2m/v1/callbacks/${accountName}/deliveries` },
    { method: 'GET', path: `/m2m/v1/accounts/${accountName}/requests/${requestId}/status` },
    { method: 'GET', path: `/m2m/v1/accounts/${own}/requests/${requestId}/status` },
    { method: 'GET', path: `/loc/v1/locationreports/${own}/report/${requestId}/status` },
    { method: 'POST', path: '/m2m/v1/devices/actions/list', body: { accountName } },
    { method: 'POST', path: '/dm/v1/smartAlerts/actions/query', body: { accountname: accountName } },
  ];
}

/** Repeats a call until it is refused by a process that answers and gives the same credentials access to their own data. */
async function untilRefused({ client, surprises }: Scene, tenant: Tenant, asked: Asked): Promise<void> {
  const own = { method: 'GET', path: `/m2m/v1/accounts/${tenant.accountName}` };
  for (;;) {
    const answer = await client.tryAsUser(tenant, asked);
    if (answer !== undefined && answer.status < 300) {
      const { method, path } = asked;
      surprises.push(`${method} ${path} was open to tenant ${tenant.n}: ${answer.text.slice(0, 300)}`);
      return;
    }
    const control = await client.tryAsUser(tenant, own);
    if (control?.status === 200 && answer !== undefined && REFUSALS.has(answer.status)) return;
    // Waits until a process answers, and logs in again if the session has ended.
    await client.asUser(tenant, own);
  }
}

const someRequest = (diary: Diary, { n }: Tenant, random: SeededRandom): string =>
  random.pick(diary.taken.filter(({ tenant }) => tenant.n === n))?.requestId ?? 'none';

export async function probe(scene: Scene, diary: Diary, tenant: Tenant, random: SeededRandom): Promise<void> {
  const other = random.pick(TENANTS.filter(({ n }) => n !== tenant.n));
  const asked = random.pick(strangeCalls(tenant, other, someRequest(diary, other, random)));
  await untilRefused(scene, tenant, asked);
  add(diary.refusals, tenant.n, 1);
}

/** Tries all data of every other tenant, after all faults have ended. */
export async function probeAll(scene: Scene, diary: Diary): Promise<void> {
  for (const tenant of TENANTS)
    for (const other of TENANTS) {
      const requestId = diary.taken.find((taken) => taken.tenant === other)?.requestId ?? 'none';
      if (other === tenant) continue;
      for (const asked of strangeCalls(tenant, other, requestId)) await untilRefused(scene, tenant, asked);
    }
}
