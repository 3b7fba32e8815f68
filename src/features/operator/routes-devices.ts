import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { type Ctx, inTx } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { getConsentHistory, RangeQuery, WireHistory } from '../consents/index.ts';
import { changeState } from '../device-lifecycle/index.ts';
import { DEVICE_STATES, type DeviceKey, findDevice, type MoveLines } from '../devices/index.ts';
import { moveLine } from '../line-moves/index.ts';
import { type LineNetwork, orderLines } from '../network/index.ts';
import { deleteWholeDevice, erasePositionsOfOne } from './erase.ts';
import { operatorFaults } from './errors.ts';
import { findNamedAccount, findNamedDevice, parseNamedDevice, withScope } from './route.ts';
import { DeviceParams, Done, WireDevice } from './schemas.ts';

const getDevice = async ({ db }: Ctx, device: DeviceKey) =>
  (await findDevice(db, device)) ?? refuse(operatorFaults.noDevice);

/** Applies an operator's change at once, and orders the network to match it. */
const withNetwork = (
  outer: Ctx,
  { ecpdId, deviceId }: DeviceKey,
  change: (tx: Ctx) => Promise<boolean>,
  network: LineNetwork | undefined,
): Promise<boolean> =>
  inTx(outer, async (tx) => {
    const done = await change(tx);
    if (done && network !== undefined) await orderLines(tx, ecpdId, network, [deviceId], { cause: 'follow' });
    return done;
  });

export const deviceRoutes =
  (
    { moveLines }: { readonly moveLines: MoveLines },
    network: LineNetwork | undefined,
  ): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/devices/:kind/:id',
      withScope('read', {
        operationId: 'operatorReadDevice',
        summary: 'Reads a device by any of its identifiers',
        params: DeviceParams,
        response: { 200: WireDevice },
      }),
      async ({ ctx, params }) => getDevice(ctx, await findNamedDevice(ctx, params)),
    );

    api.get(
      '/devices/:kind/:id/consents',
      withScope('read', {
        operationId: 'operatorReadConsentHistory',
        summary: 'Lists when a device could be located, how precisely, and on which consent',
        params: DeviceParams,
        querystring: RangeQuery,
        response: { 200: WireHistory },
      }),
      async ({ ctx, params, query, dialect }) =>
        getConsentHistory(ctx, await findNamedDevice(ctx, params), query, dialect.faults.invalid),
    );

    api.post(
      '/devices/:kind/:id/state',
      withScope('fleet', {
        operationId: 'operatorChangeDeviceState',
        summary:
          'Changes the state of a device; its owner is notified as of any change made outside the interface',
        params: DeviceParams,
        body: Type.Object({ state: Type.Enum([...DEVICE_STATES]) }),
        response: { 200: WireDevice },
      }),
      async ({ ctx, params, body }) => {
        const device = await findNamedDevice(ctx, params);
        const change = (tx: Ctx) => changeState(tx, device, body.state);
        if (!(await withNetwork(ctx, device, change, network))) refuse(operatorFaults.noDevice);
        return getDevice(ctx, device);
      },
    );

    api.post(
      '/devices/:kind/:id/move',
      withScope('fleet', {
        operationId: 'operatorMoveDevice',
        summary: 'Moves a line to another account at once; only a deactive line can move to another customer',
        params: DeviceParams,
        body: Type.Object({ accountName: Type.String({ minLength: 1, maxLength: 64 }) }),
        response: { 200: WireDevice },
      }),
      async ({ ctx, params, body }) => {
        const device = await findNamedDevice(ctx, params);
        const { ecpdId, accountName } = await findNamedAccount(ctx, body.accountName);
        const move = (tx: Ctx) => moveLine(tx, device, { ecpdId, accountName }, moveLines);
        if (!(await withNetwork(ctx, device, move, network))) refuse(operatorFaults.noDevice);
        return getDevice(ctx, await findNamedDevice(ctx, params));
      },
    );

    api.delete(
      '/devices/:kind/:id',
      withScope('admin', {
        operationId: 'operatorDeleteDevice',
        summary: 'Deletes a device with everything that belongs to it',
        params: DeviceParams,
        response: { 200: Done },
      }),
      async ({ ctx, params }) => ({
        success: await deleteWholeDevice(ctx, await findNamedDevice(ctx, params), network),
      }),
    );

    api.delete(
      '/devices/:kind/:id/positions',
      withScope('admin', {
        operationId: 'operatorErasePositionsOfDevice',
        summary: 'Erases all coordinates of a device',
        description:
          'Also those from the time of earlier owners, and those of a device that was deleted or has another identifier ' +
          'now, from the time in which it had this one.',
        params: DeviceParams,
        response: { 200: Type.Object({ erased: Type.Integer() }) },
      }),
      async ({ ctx, params }) => {
        const erased = await erasePositionsOfOne(ctx, parseNamedDevice(params));
        return { erased: erased ?? refuse(operatorFaults.noDevice) };
      },
    );
  };
