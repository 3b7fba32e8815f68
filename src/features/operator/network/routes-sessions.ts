import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { listSessions } from '../../data-sessions/index.ts';
import { findNamedDevice, withScope } from '../route.ts';

const SESSIONS_MAX = 100;

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()]);
const Moment = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
const text = (description?: string) => orNull(Type.String(description === undefined ? {} : { description }));

const WireSession = Type.Object({
  nas: Type.String({ description: 'The access server' }),
  sessionId: Type.String(),
  chargingId: orNull(Type.Number()),
  state: Type.String({ description: 'open or closed' }),
  startedAt: orNull(Moment),
  lastReportAt: Moment,
  closedAt: orNull(Moment),
  closeCause: text('Why it ended'),
  inputBytes: Type.Number({ description: 'From the device' }),
  outputBytes: Type.Number({ description: 'To the device' }),
  apn: text(),
  rat: text('The radio network, such as E-UTRAN'),
  ipAddress: text(),
  sgsn: text(),
  ggsn: text(),
  visitedNetwork: text('Mobile country code and network code'),
  countryCode: text(),
  imeisv: text('The device that contains the SIM'),
  otherDevice: Type.Boolean({
    description: 'Whether that device differs from the one in the record of the line',
  }),
  cell: text(),
});

/** The data sessions of a line. */
export const sessionRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/sessions',
    withScope('read', {
      operationId: 'operatorListSessions',
      summary: 'Lists up to 100 data sessions of a line as access servers report them, open ones first',
      querystring: Type.Object({
        kind: Type.String({ maxLength: 16 }),
        device: Type.String({ maxLength: 64 }),
      }),
      response: { 200: Type.Array(WireSession) },
    }),
    async ({ ctx, query: { kind, device } }) => [
      ...(await listSessions(ctx.db, await findNamedDevice(ctx, { kind, id: device }), SESSIONS_MAX)),
    ],
  );
};
