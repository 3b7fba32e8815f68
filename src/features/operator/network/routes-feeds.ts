import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { refuse } from '../../../platform/context/fault.ts';
import { FeedError, readBody } from '../../../platform/http/body-stream.ts';
import { streamEveryBody } from '../../../platform/http/json-body.ts';
import type { KnownFeed } from '../../network-feeds/index.ts';
import { listFiles, receiveFile } from '../../usage-files/index.ts';
import { operatorFaults } from '../errors.ts';
import { withScope } from '../route.ts';

const DateTime = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
const FILE_MAX_BYTES = 64 * 1024 ** 3;
const RECEIVED_AT_ONCE = 4;
/** A sender that is silent for this long loses its slot to others. */
const SILENCE_MS = 10_000;

const WireFile = Type.Object({
  name: Type.String(),
  bytes: Type.Integer(),
  state: Type.String({ description: 'taking, done or failed' }),
  reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed; completes "The file …"' }),
  lines: Type.Integer({ description: 'The number of lines taken so far' }),
  accepted: Type.Integer(),
  duplicates: Type.Integer(),
  rejected: Type.Integer(),
  begunAt: DateTime,
  endedAt: Type.Union([DateTime, Type.Null()]),
});

const FeedParams = Type.Object({ feed: Type.String({ maxLength: 64 }) });
const FileParams = Type.Object({ ...FeedParams.properties, file: Type.String({ maxLength: 200 }) });

/** Lists the files of a feed, and accepts files over HTTP from senders without access to its folder. */
export const networkFeedRoutes =
  (feeds: readonly KnownFeed[]): FastifyPluginAsyncTypebox =>
  async (api) => {
    streamEveryBody(api);
    let receiving = 0;

    function folderOf(name: string): string {
      const named = feeds.find((each) => each.name === name);
      return named?.kind === 'files' ? named.folder : refuse(operatorFaults.noFeed);
    }

    api.get(
      '/network/:feed/files',
      withScope('read', {
        operationId: 'operatorListUsageFiles',
        summary: 'Lists the files that a feed has taken or is taking, the last begun first',
        params: FeedParams,
        querystring: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })) }),
        response: { 200: Type.Array(WireFile) },
      }),
      async ({ ctx, params: { feed }, query: { limit = 100 } }) => listFiles(ctx.db, folderOf(feed), limit),
    );

    api.put(
      '/network/:feed/files/:file',
      withScope(
        'feed',
        {
          operationId: 'operatorPutUsageFile',
          summary:
            'Puts a file into the folder of a feed, where it is taken like any other. When the call is answered, the file is on disk; ' +
            'the list of files shows its result',
          params: FileParams,
          response: { 202: Type.Object({ name: Type.String() }) },
        },
        { idempotencyKey: false },
      ),
      async ({ params: { feed, file }, headers, body }, reply) => {
        const folder = folderOf(feed);
        if (receiving >= RECEIVED_AT_ONCE)
          refuse(operatorFaults.tooManyFeeds, { headers: { 'retry-after': '5' } });
        receiving++;
        try {
          const stream = (body as Readable | undefined) ?? Readable.from([]);
          const content = readBody(headers, stream, SILENCE_MS);
          const received = await receiveFile(folder, file, content, FILE_MAX_BYTES);
          if (received === 'badName') refuse(operatorFaults.badFileName);
          if (received === 'noFolder') refuse(operatorFaults.noFolder);
          if (received === 'taken') refuse(operatorFaults.fileExists);
          if (received === 'tooLarge') refuse(operatorFaults.fileTooLarge);
          return reply.code(202).send({ name: file });
        } catch (error) {
          if (!(error instanceof FeedError)) throw error;
          return refuse(operatorFaults.brokenFile, { reason: `the body ${error.message}` });
        } finally {
          receiving--;
        }
      },
    );
  };
