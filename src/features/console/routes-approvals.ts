import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { UUID_SHAPE } from '../../kernel/uuid.ts';
import { next } from '../../platform/http/page-place.ts';
import { countApprovals, listApprovals, WireNamedFiringWithActions } from '../trigger-actions/index.ts';
import { eyesOf } from './name-triggers.ts';
import { AccountParams, ofAccount, PageQuery, Timestamp } from './schemas.ts';

/** The badge shows no larger number. */
const COUNTED_MAX = 100;

const WireApprovals = Type.Object({
  approvals: Type.Array(
    Type.Object({
      ...WireNamedFiringWithActions.properties,
      triggerName: Type.String(),
      isThere: Type.Boolean({ description: 'False if the trigger was deleted: this can only be rejected' }),
      approvableTo: Timestamp,
    }),
    { description: 'The first to expire is first' },
  ),
  waiting: Type.Integer({ description: `All of them, at most ${COUNTED_MAX}` }),
  paused: Type.Boolean({ description: 'Actions are paused: nothing can be approved' }),
  next,
});

const PLACE = `^[0-9]{1,15}\\.${UUID_SHAPE}$`;

function placeOf(page: string | undefined) {
  const [ms, firingId] = page?.split('.') ?? [];
  return ms === undefined || firingId === undefined
    ? undefined
    : { approvableTo: new Date(Number(ms)), firingId };
}

export const approvalRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/accounts/:accountName/approvals',
    ofAccount(
      'consoleListApprovals',
      'Actions of triggers on lines of the account that wait for an approval',
      WireApprovals,
      {
        params: AccountParams,
        querystring: Type.Object({
          page: Type.Optional(Type.String({ pattern: PLACE })),
          limit: PageQuery.properties.limit,
        }),
      },
    ),
    async ({ ctx, tenant, viewer, query: { page, limit = 100 } }) => {
      const asked = { viewer: eyesOf(viewer), after: placeOf(page), limit };
      const { approvals, paused, isFollowed } = await listApprovals(ctx, tenant, asked);
      const waiting = await countApprovals(ctx, tenant, asked.viewer, COUNTED_MAX);
      const last = isFollowed ? approvals.at(-1) : undefined;
      const next = last && { next: `${last.approvableTo.getTime()}.${last.firingId}` };
      return { approvals, waiting, paused, ...next };
    },
  );
};
