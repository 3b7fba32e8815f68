import assert from 'node:assert/strict';
import { laneOf, TENANTS } from '../tenants.ts';
import type { Taken } from '../workload/diary.ts';
import type { Delivery, Outcome } from './outcome.ts';

/** The device that a message is about, wherever its kind has it. */
function deviceOf({ payload }: Delivery): string | undefined {
  const { deviceIds, message } = payload as {
    deviceIds?: { id: string }[];
    message?: { deviceList?: { id: string }[] };
  };
  return (deviceIds ?? message?.deviceList)?.[0]?.id;
}

function assertTold(
  { what, requestId, service, messages, devices, tenant }: Taken,
  told: readonly Delivery[],
): void {
  const mine = told.filter(({ serviceName }) => serviceName === service);
  const name = `${what} ${requestId} of tenant ${tenant.n}`;
  assert.equal(mine.length, messages, `${name}: messages`);
  if (devices !== undefined)
    assert.deepEqual(mine.map(deviceOf).sort(), [...devices].sort(), `${name}: each device once`);
}

/** Every request that was answered as taken has come to its good end, and was told as often as it must be. */
export async function assertRequestsKept({ scene: { client }, diary, deliveries }: Outcome): Promise<void> {
  for (const taken of diary.taken) {
    const { tenant, what, requestId } = taken;
    const { accountName } = tenant;
    assertTold(taken, deliveries.get(requestId) ?? []);
    if (what === 'event' || what === 'consent') continue;
    const path =
      what === 'report'
        ? `/loc/v1/locationreports/${accountName}/report/${requestId}/status`
        : `/m2m/v1/accounts/${accountName}/requests/${requestId}/status`;
    const { json, text } = await client.asUser(tenant, { method: 'GET', path });
    assert.equal(json?.status, what === 'report' ? 'COMPLETED' : 'Success', `${what} ${requestId}: ${text}`);
  }
}

/** Devices are where the last change brought them. */
export async function assertStatesKept({ scene: { client }, diary }: Outcome): Promise<void> {
  for (const [imei, { state, plan }] of diary.states) {
    const { json } = await client.operator({ method: 'GET', path: `/operator/v1/devices/imei/${imei}` });
    assert.deepEqual([json.state, json.servicePlan], [state, plan], imei);
  }
}

/** Nobody was told anything that nobody asked for, or twice: the sums of all messages are those that must be. */
export function assertNothingBeside({ diary, firings, messages }: Outcome): void {
  for (const tenant of TENANTS) {
    const expected = new Map<string, number>();
    const add = (service: string, n: number) => void expected.set(service, (expected.get(service) ?? 0) + n);
    for (const taken of diary.taken) if (taken.tenant === tenant) add(taken.service, taken.messages);
    for (const { kind, actions } of firings.get(tenant.n)!) {
      add(kind === 'usage' ? 'Location' : 'AlertService', 1);
      add('CarrierService', actions.flatMap(({ requestIds }) => requestIds).length);
    }
    // Each reading raises or clears an alert.
    for (const device of tenant.devices.watched) add('AlertService', diary.readings.get(device) ?? 0);
    for (const [service, n] of expected)
      assert.equal(
        messages.get(laneOf(tenant, service)) ?? 0,
        n,
        `messages of tenant ${tenant.n} to ${service}`,
      );
  }
}
