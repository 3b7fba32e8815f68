import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { refuse } from '../../platform/context/fault.ts';
import { accountIn, calledBy } from '../../platform/http/access.ts';
import { findAccount } from '../accounts/index.ts';
import { listDevicesOf } from './list-devices.ts';
import { ListBody, WireDeviceList } from './schemas-listing.ts';
import { deviceWriter } from './wire.ts';

/** Mounted at /m2m/v1. */
export const deviceRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.post(
    '/devices/actions/list',
    calledBy(
      accountIn('body', { mayBeAbsent: true }),
      {
        operationId: 'listDevices',
        summary: 'The lines of an account, a page at a time: 202 while more remain, 200 with the last page',
        body: ListBody,
        response: { 200: WireDeviceList, 202: WireDeviceList },
      },
      { query: true, reads: 'replica' },
    ),
    async ({ ctx, tenant, body, dialect }, reply) => {
      const account = await findAccount(ctx.db, tenant);
      if (account === undefined) return refuse(dialect.faults.accountUnknownInBody);
      const { devices, hasMoreData } = await listDevicesOf(ctx, tenant, body, account);
      const last = devices.at(-1);
      return reply.code(hasMoreData ? 202 : 200).send({
        devices: devices.map(deviceWriter(account, ctx.now())),
        hasMoreData,
        ...(last !== undefined && { largestDeviceIdSeen: last.listNumber }),
      });
    },
  );
};
