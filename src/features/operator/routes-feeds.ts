import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { SOURCE_PATTERN } from '../../kernel/record-key.ts';
import type { Ctx } from '../../platform/context/context.ts';
import { Fault, refuse } from '../../platform/context/fault.ts';
import { isOfDatabase } from '../../platform/db/failures.ts';
import { TooManyGivenUp } from '../../platform/feeds/feed.ts';
import { FeedInterrupted, REJECTED_MAX } from '../../platform/feeds/take-feed.ts';
import { readBody } from '../../platform/http/body-stream.ts';
import { type Dialect, toFault } from '../../platform/http/dialect.ts';
import { streamEveryBody } from '../../platform/http/json-body.ts';
import { keepBeginning } from '../../platform/http/kept-text.ts';
import { takeCells } from '../data-sessions/index.ts';
import { type PositionsPolicy, takePositions } from '../locations/index.ts';
import { type ReadingsPolicy, takeReadings } from '../smart-alerts/index.ts';
import { type FeedPolicy, takeUsage } from '../usage/index.ts';
import { operatorFaults } from './errors.ts';
import { withScope } from './route.ts';

export interface FeedDeps {
  readonly usage: FeedPolicy;
  readonly positions: PositionsPolicy;
  readonly readings: ReadingsPolicy;
}

/** Each holds two batches in memory. */
const FEEDS_MAX = 16;
/** One key cannot use up all slots. */
const FEEDS_OF_KEY_MAX = FEEDS_MAX / 2;
/** A sender that is silent for this long loses its slot to others. */
const SILENCE_MS = 5_000;

type Fed = Pick<FastifyRequest, 'ctx' | 'headers' | 'body' | 'operator' | 'dialect' | 'bodyText'> & {
  readonly query: { readonly source?: string };
};
type Broken = { brokenBecause?: string; fellSilent?: true };

function feedSlots() {
  const taken = new Map<string, number>();
  let open = 0;
  return {
    /** Takes a slot, or refuses if there are too many feeds. Returns the function that frees the slot. */
    take(keyName: string): () => void {
      const headers = { 'retry-after': '5' };
      const own = taken.get(keyName) ?? 0;
      if (own >= FEEDS_OF_KEY_MAX) refuse(operatorFaults.tooManyFeedsOfKey, { headers });
      if (open >= FEEDS_MAX) refuse(operatorFaults.tooManyFeeds, { headers });
      taken.set(keyName, own + 1);
      open++;
      return () => {
        open--;
        const left = taken.get(keyName)! - 1;
        if (left > 0) taken.set(keyName, left);
        else taken.delete(keyName);
      };
    },
  };
}

const FedPositions = Type.Object({
  accepted: Type.Integer(),
  rejected: Type.Array(Type.Object({ line: Type.Integer(), reason: Type.String() })),
  rejectedTotal: Type.Integer(),
});
const FedRecords = Type.Object({ ...FedPositions.properties, duplicates: Type.Integer() });
const FedReadings = Type.Object({ ...FedRecords.properties, late: Type.Integer() });

const FedFrom = Type.Object({
  source: Type.Optional(
    Type.String({
      pattern: SOURCE_PATTERN,
      description:
        'The sender of the records, which gives them their ids: the same id from another source is another record. ' +
        'Records without a source share one',
    }),
  ),
});

/** The answer says what was accepted before the feed ended, whatever ended it. */
function toRefusal({ cause, taken: members }: FeedInterrupted, { faults }: Dialect): Fault {
  if (cause instanceof TooManyGivenUp) return new Fault(operatorFaults.failedFeed, { members }, { cause });
  if (isOfDatabase(cause))
    return new Fault(operatorFaults.interruptedFeed, { members, headers: { 'retry-after': '1' } }, { cause });
  const { kind, detail } = toFault(cause as Error, faults);
  return new Fault(kind, { ...detail, members: { ...detail.members, ...members } }, { cause });
}

export const feedRoutes =
  ({ usage, positions, readings }: FeedDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    streamEveryBody(api);
    const slots = feedSlots();

    async function feed<T extends Broken>(
      request: Fed,
      take: (ctx: Ctx, bytes: AsyncIterable<Buffer>, source: string | undefined) => Promise<T>,
    ): Promise<Omit<T, keyof Broken>> {
      const { ctx, headers, body, operator, dialect, query } = request;
      const freeSlot = slots.take(operator.keyName);
      const stream = (body as Readable | undefined) ?? Readable.from([]);
      try {
        const bytes = keepBeginning(readBody(headers, stream, SILENCE_MS), (text) => {
          request.bodyText = text;
        });
        const { brokenBecause, fellSilent, ...members } = await take(ctx, bytes, query.source);
        if (brokenBecause === undefined) return members;
        const detail = { reason: `the body ${brokenBecause}`, members };
        if (!fellSilent) return refuse(operatorFaults.brokenFeed, detail);
        return refuse(operatorFaults.silentFeed, { ...detail, headers: { connection: 'close' } });
      } catch (error) {
        throw error instanceof FeedInterrupted ? toRefusal(error, dialect) : error;
      } finally {
        freeSlot();
      }
    }

    const feeds = [
      {
        path: '/usage',
        operationId: 'operatorFeedUsage',
        summary:
          'Takes usage records: NDJSON, a JSON array or a batch of CloudEvents, each also as gzip, of any length. ' +
          'Accepted records are durable; a record id that was accepted before from the same source is a duplicate and changes ' +
          `nothing. A record has at most 2^50 bytes. The first ${REJECTED_MAX} rejected records are listed by line, or by ` +
          'position in an array; the others are still accepted',
        Answer: FedRecords,
        querystring: FedFrom,
        take: (ctx: Ctx, bytes: AsyncIterable<Buffer>, source?: string) =>
          takeUsage(ctx, bytes, usage, source),
      },
      {
        path: '/positions',
        operationId: 'operatorFeedPositions',
        summary:
          'Takes positions into the location cache: NDJSON, a JSON array or a batch of CloudEvents, each also as gzip, ' +
          'of any length. The newest position of each device is kept. Coarse requests get the position itself unless it is ' +
          'marked as precise; then they get a coarse form of it',
        Answer: FedPositions,
        take: (ctx: Ctx, bytes: AsyncIterable<Buffer>) => takePositions(ctx, bytes, positions),
      },
      {
        path: '/readings',
        operationId: 'operatorFeedReadings',
        summary:
          'Takes readings of devices and compares them with their rules: NDJSON, a JSON array or a batch of CloudEvents, ' +
          'each also as gzip, of any length. Accepted readings are durable, and so are the alerts they raise or clear. ' +
          'A reading older than the newest of its device is late and changes nothing',
        Answer: FedReadings,
        take: (ctx: Ctx, bytes: AsyncIterable<Buffer>) => takeReadings(ctx, bytes, readings),
      },
      {
        path: '/cells',
        operationId: 'operatorImportCells',
        summary:
          'Takes a table of radio cells, from which lines get a coarse position: CSV with the columns radio, mcc, net, area, cell, ' +
          'unit, lon, lat and range, also as gzip, of any length. A known cell is replaced',
        Answer: FedPositions,
        take: (ctx: Ctx, bytes: AsyncIterable<Buffer>) => takeCells(ctx, bytes, usage.share.sizes),
      },
    ];
    for (const { path, operationId, summary, Answer, take, querystring = Type.Object({}) } of feeds)
      api.post(
        path,
        withScope(
          'feed',
          { operationId, summary, querystring, response: { 200: Answer } },
          { idempotencyKey: false },
        ),
        (request) => feed(request, take),
      );
  };
