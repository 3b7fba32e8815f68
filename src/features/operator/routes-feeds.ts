import type { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { refuse } from '../../platform/fault.ts';
import { operatorWith } from '../../platform/http/access.ts';
import { readBody } from '../../platform/http/body-stream.ts';
import { streamEveryBody } from '../../platform/http/json-body.ts';
import { type FeedPolicy, REJECTED_MAX, takeUsage } from '../usage/index.ts';
import { operatorFaults } from './errors.ts';

export interface FeedDeps {
  readonly usage: FeedPolicy;
}

/** Each holds two batches in memory. */
const FEEDS_MAX = 16;

const FedRecords = Type.Object({
  accepted: Type.Integer(),
  duplicates: Type.Integer(),
  rejected: Type.Array(Type.Object({ line: Type.Integer(), reason: Type.String() })),
  rejectedTotal: Type.Integer(),
});

export const feedRoutes =
  ({ usage }: FeedDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    streamEveryBody(api);
    let open = 0;

    api.post(
      '/usage',
      {
        config: { access: operatorWith('feed'), idempotencyKey: false },
        schema: {
          operationId: 'operatorFeedUsage',
          summary:
            'Takes usage records: NDJSON, a JSON array or a batch of CloudEvents, each also as gzip, of any length. ' +
            'What it answers as accepted is durable; a record id that was taken before is a duplicate and changes ' +
            `nothing. The first ${REJECTED_MAX} rejected records are listed by line, or by position in an array`,
          response: { 200: FedRecords },
        },
      },
      async ({ ctx, headers, body }) => {
        if (open >= FEEDS_MAX) refuse(operatorFaults.tooManyFeeds, { headers: { 'retry-after': '5' } });
        const stream = body as Readable | undefined;
        if (stream === undefined) return { accepted: 0, duplicates: 0, rejected: [], rejectedTotal: 0 };
        open++;
        try {
          const { brokenBecause, ...taken } = await takeUsage(ctx, readBody(headers, stream), usage);
          if (brokenBecause !== undefined)
            refuse(operatorFaults.brokenFeed, { reason: `the body ${brokenBecause}`, members: taken });
          return taken;
        } finally {
          open--;
          // What is left of a broken feed is read and dropped, so that its sender gets the answer.
          stream.resume();
        }
      },
    );
  };
