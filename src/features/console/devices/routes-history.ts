import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { UUID_PATTERN } from '../../../kernel/uuid.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { next } from '../../../platform/http/page-place.ts';
import { findDevice, listArrivals } from '../../devices/index.ts';
import { consoleFaults } from '../errors.ts';
import { nameTriggers, WireFiringByName } from '../name-triggers.ts';
import { AccountParams, NumberOrNull, ofAccount, PageQuery, TextOrNull, Timestamp } from '../schemas.ts';
import { getHistory, HISTORY_KINDS, type HistoryKind, type HistoryMark } from './get-history.ts';

const CallbackState = Type.Enum(['pending', 'delivered', 'failed']);

const WireEvent = Type.Object({
  key: Type.String({ description: 'Unique among the events of its kind' }),
  kind: Type.Enum([...HISTORY_KINDS]),
  at: Timestamp,
  what: Type.String({
    description: 'What happened, in the word of its kind: an action of the audit log, an operation',
  }),
  by: Type.Optional(Type.Unsafe<string | null>({ ...TextOrNull, description: 'Who did it' })),
  text: Type.Optional(Type.Unsafe<string | null>({ ...TextOrNull, description: 'Why, in words' })),
  state: Type.Optional(Type.String()),
  level: Type.Optional(NumberOrNull),
  requestId: Type.Optional(Type.String()),
  messageId: Type.Optional(Type.String()),
  fields: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), before: TextOrNull, after: TextOrNull }), {
      description: 'The first twenty changed fields, each cut after 200 characters',
    }),
  ),
  firing: Type.Optional(WireFiringByName),
  callback: Type.Optional(Type.Object({ messageId: Type.String(), state: CallbackState })),
});

const WireHistory = Type.Object({ events: Type.Array(WireEvent), next });

/** Milliseconds since 1970, the kind, and the key of an event. */
const MARK = `^[0-9]{1,13}~(${HISTORY_KINDS.join('|')})~[0-9a-z -]{1,64}$`;
const toMark = ({ at, kind, key }: HistoryMark): string => `${at.getTime()}~${kind}~${key}`;
function parseMark(page: string | undefined): HistoryMark | undefined {
  const [at, kind, key] = page?.split('~') ?? [];
  if (kind === undefined || key === undefined) return undefined;
  return { at: new Date(Number(at)), kind: kind as HistoryKind, key };
}

export const historyRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/accounts/:accountName/devices/:deviceId/history',
    ofAccount(
      'consoleListDeviceHistory',
      'Everything that happened to a device in its account, newest first: changes with their authors, requests with their callbacks, firings, alerts, consents, and orders that the network did not carry out',
      WireHistory,
      {
        params: Type.Object({
          ...AccountParams.properties,
          deviceId: Type.String({ pattern: UUID_PATTERN }),
        }),
        querystring: Type.Object({
          kind: Type.Optional(Type.Enum([...HISTORY_KINDS])),
          page: Type.Optional(Type.String({ pattern: MARK })),
          limit: PageQuery.properties.limit,
        }),
      },
    ),
    async ({ ctx, tenant, viewer, params, query: { kind, page, limit = 100 } }) => {
      const deviceId = params.deviceId.toLowerCase();
      if ((await findDevice(ctx.db, { ...tenant, deviceId })) === undefined) refuse(consoleFaults.noDevice);
      const since = (await listArrivals(ctx.db, tenant, [deviceId])).get(deviceId) ?? new Date(0);
      const asked = { kinds: kind === undefined ? HISTORY_KINDS : [kind], mark: parseMark(page), limit };
      const { events, next: last } = await getHistory({ ctx, tenant, deviceId, since }, asked);
      const fired = events.flatMap(({ firing }) => firing ?? []);
      const named = new Map(
        (await nameTriggers(ctx, tenant, fired, viewer)).map((firing) => [firing.firingId, firing]),
      );
      return {
        events: events.map(({ fields, firing, ...event }) => ({
          ...event,
          ...(firing && { firing: named.get(firing.firingId)! }),
          ...(fields && { fields: [...fields] }),
        })),
        ...(last && { next: toMark(last) }),
      };
    },
  );
};
