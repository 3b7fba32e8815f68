import assert from 'node:assert/strict';
import { type Static, Type } from 'typebox';
import { ACCOUNT, asUser, MANAGED, SMALL_FLEET, STRANGER } from '../../../../test/support/fleet.ts';
import { makeWorld, type World } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { succeeded } from '../../callback-payloads/envelope.ts';
import { defineOperation, type LockedDevice, type Outcome, REQUEST_LIMITS } from '../carrier-operation.ts';
import { createRequest } from '../create-request.ts';
import { workingsOf, workJob } from '../jobs.ts';
import { parseDevices, type Selection } from '../parse-selection.ts';

export const TENANT = { ecpdId: '9000001', accountName: ACCOUNT } as never;
export const imei = (n: number) => `9955000000${String(n).padStart(5, '0')}`;
export const iccid = (n: number) => `891480000099${String(n).padStart(8, '0')}`;
export const byImei = (...numbers: number[]) =>
  parseDevices(numbers.map((n) => ({ deviceIds: [{ id: imei(n), kind: 'IMEI' }] })));
export const firstDevices = (count: number) => byImei(...Array.from({ length: count }, (_, n) => n));

export const devicesOf = (accountName: string, from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    accountName,
    imei: imei(from + n),
    iccid: iccid(from + n),
    servicePlan: 'P-5MB',
  }));

const Body = Type.Object({ note: Type.String() });

/** An operation that records the devices it gets, and whose answer a test can set. */
export function makeOperation() {
  const given: string[][] = [];
  const operation = defineOperation({
    name: 'test-operation',
    body: Body,
    handle: (_ctx, _tenant, { body }, devices) => {
      given.push(devices.map(({ imei }) => imei ?? ''));
      return answer.give(devices, body);
    },
  });
  const success = (device: LockedDevice, body: Static<typeof Body>): Outcome => ({
    payload: succeeded(device.answered, { noteResponse: body }),
  });
  const answer = {
    give: async (devices: readonly LockedDevice[], body: Static<typeof Body>) =>
      new Map(devices.map((device) => [device.deviceId, success(device, body)])),
  };
  return { operation, given, answer, success };
}

/** A world whose worker knows one operation. Devices 0 to count-1 belong to the account, those from 90,000 on to others. */
export async function makeRequestScene(count = 5, limits = REQUEST_LIMITS) {
  const made = makeOperation();
  const work = workJob(workingsOf([made.operation], { limits }));
  const world = await makeWorld({ jobs: [work] });
  await world.import({
    ...SMALL_FLEET,
    devices: [
      ...devicesOf(ACCOUNT, 0, count),
      ...devicesOf(MANAGED, 90_000, 2),
      ...devicesOf(STRANGER, 91_000, 2),
    ],
  });
  /** Opens a new session for each call, because tests let days pass. */
  const call = async (method: string, path: string) => (await asUser(world)).call(method, path);
  const create = async (selection: Selection, note = 'n', ctx = world.ctx) =>
    (
      await createRequest(
        ctx,
        TENANT,
        { operation: made.operation, body: { note }, createdBy: 'ws-user', selection, states: ['active'] },
        work,
      )
    ).requestId;
  const statusOf = async (requestId: string) => {
    const answer = await call('GET', `/m2m/v1/accounts/${ACCOUNT}/requests/${requestId}/status`);
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json();
  };
  return { world, workJob: work, create, call, statusOf, ...made };
}

interface Callback {
  readonly deviceIds: readonly { readonly id: string; readonly kind: string }[];
  readonly status: string;
  readonly comment?: string;
  readonly deviceResponse?: object;
  readonly faultResponse?: { readonly faultcode: string; readonly faultstring: string };
}

/** The callbacks of a request, in the order of posting. */
export const callbacksOf = async (
  { ctx }: Pick<World, 'ctx'>,
  requestId: string,
): Promise<readonly Callback[]> =>
  (
    await ctx.db.many<{ payload: string }>(
      sql`select payload from callback_message where request_id = ${requestId} order by message_id`,
    )
  ).map(({ payload }) => JSON.parse(payload) as Callback);
