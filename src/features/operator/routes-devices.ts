import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { refuse } from '../../platform/context/fault.ts';
import { operatorWith } from '../../platform/http/access.ts';
import { getConsentHistory, RangeQuery, WireHistory } from '../consents/index.ts';
import { changeState } from '../device-lifecycle/index.ts';
import { DEVICE_STATES, findDevice, type MoveLines } from '../devices/index.ts';
import { moveLine } from '../line-moves/index.ts';
import { deleteWholeDevice } from './erasing/delete-device.ts';
import { erasePositionsOfOne } from './erasing/erase-positions.ts';
import { operatorFaults } from './errors.ts';
import { findNamedAccount, findNamedDevice } from './find-named.ts';
import { DeviceParams, Done, WireDevice } from './schemas.ts';

export const deviceRoutes =
  ({ moveLines }: { readonly moveLines: MoveLines }): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/devices/:kind/:id',
      {
        config: { access: operatorWith('read') },
        schema: {
          operationId: 'operatorReadDevice',
          summary: 'One device, found by any of its identifiers',
          params: DeviceParams,
          response: { 200: WireDevice },
        },
      },
      async ({ ctx, params }) =>
        (await findDevice(ctx.db, await findNamedDevice(ctx, params))) ?? refuse(operatorFaults.noDevice),
    );

    api.get(
      '/devices/:kind/:id/consents',
      {
        config: { access: operatorWith('read') },
        schema: {
          operationId: 'operatorReadConsentHistory',
          summary: 'When a device could be located, how precisely, and on which consent',
          params: DeviceParams,
          querystring: RangeQuery,
          response: { 200: WireHistory },
        },
      },
      async ({ ctx, params, query, dialect }) =>
        getConsentHistory(ctx, await findNamedDevice(ctx, params), query, dialect.faults.invalid),
    );

    api.post(
      '/devices/:kind/:id/state',
      {
        config: { access: operatorWith('fleet') },
        schema: {
          operationId: 'operatorChangeDeviceState',
          summary:
            'Gives a device another state; its owner hears of it as a change made outside of the interface',
          params: DeviceParams,
          body: Type.Object({ state: Type.Enum([...DEVICE_STATES]) }),
          response: { 200: WireDevice },
        },
      },
      async ({ ctx, params, body }) => {
        const device = await findNamedDevice(ctx, params);
        if (!(await changeState(ctx, device, body.state))) refuse(operatorFaults.noDevice);
        return (await findDevice(ctx.db, device)) ?? refuse(operatorFaults.noDevice);
      },
    );

    api.post(
      '/devices/:kind/:id/move',
      {
        config: { access: operatorWith('fleet') },
        schema: {
          operationId: 'operatorMoveDevice',
          summary: 'Moves a line to another account, at once; to another customer only a deactive one',
          params: DeviceParams,
          body: Type.Object({ accountName: Type.String({ minLength: 1, maxLength: 64 }) }),
          response: { 200: WireDevice },
        },
      },
      async ({ ctx, params, body }) => {
        const device = await findNamedDevice(ctx, params);
        const { ecpdId, accountName } = await findNamedAccount(ctx, body.accountName);
        if (!(await moveLine(ctx, device, { ecpdId, accountName }, moveLines)))
          refuse(operatorFaults.noDevice);
        return (
          (await findDevice(ctx.db, await findNamedDevice(ctx, params))) ?? refuse(operatorFaults.noDevice)
        );
      },
    );

    api.delete(
      '/devices/:kind/:id',
      {
        config: { access: operatorWith('admin') },
        schema: {
          operationId: 'operatorDeleteDevice',
          summary: 'Deletes a device with everything that belongs to it',
          params: DeviceParams,
          response: { 200: Done },
        },
      },
      async ({ ctx, params }) => ({
        success: await deleteWholeDevice(ctx, await findNamedDevice(ctx, params)),
      }),
    );

    api.delete(
      '/devices/:kind/:id/positions',
      {
        config: { access: operatorWith('admin') },
        schema: {
          operationId: 'operatorErasePositionsOfDevice',
          summary: 'Erases all coordinates of a device',
          params: DeviceParams,
          response: { 200: Type.Object({ erased: Type.Integer() }) },
        },
      },
      async ({ ctx, params }) => {
        const device = await findNamedDevice(ctx, params);
        return { erased: await erasePositionsOfOne(ctx, device) };
      },
    );
  };
