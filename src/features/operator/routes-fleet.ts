import { PassThrough, type Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { refuse } from '../../platform/context/fault.ts';
import { exportDocument } from '../../platform/fleet-document/export-document.ts';
import { importDocument } from '../../platform/fleet-document/import-document.ts';
import type { FleetSection } from '../../platform/fleet-document/section.ts';
import { hasScope } from '../../platform/http/access.ts';
import { FellSilent, isBadGzip, readBody } from '../../platform/http/body-stream.ts';
import { streamEveryBody } from '../../platform/http/json-body.ts';
import { operatorFaults } from './errors.ts';
import { findNamedAccount, withScope } from './route.ts';

/** Each stream holds a database connection until its sender or reader is done. */
const STREAMS_MAX = 3;
/** A sender or reader that is silent for this long counts as gone. A sender that generates its document may pause. */
const SILENCE_MS = 60_000;

/** Waits for the reader, so that a slow one does not make memory grow. */
function writerTo(out: PassThrough): (text: string) => Promise<void> {
  let wake = () => {};
  for (const event of ['drain', 'close']) out.on(event, () => wake());
  return async (text) => {
    const full = !out.destroyed && !out.write(text);
    if (full) {
      const patience = setTimeout(() => out.destroy(), SILENCE_MS);
      await new Promise<void>((resolve) => (wake = resolve));
      clearTimeout(patience);
    }
    if (out.destroyed) throw new Error('the reader went away');
  };
}

export const fleetRoutes =
  (sections: readonly FleetSection[]): FastifyPluginAsyncTypebox =>
  async (api) => {
    streamEveryBody(api);
    let streams = 0;
    /** Takes a slot, or refuses before anything is sent. Returns the function that frees the slot. */
    const takeSlot = (): (() => void) => {
      if (streams >= STREAMS_MAX) refuse(operatorFaults.tooManyStreams, { headers: { 'retry-after': '5' } });
      streams++;
      return () => {
        streams--;
      };
    };

    api.post(
      '/import',
      withScope(
        'fleet',
        {
          operationId: 'operatorImport',
          summary: 'Upserts a fleet document completely or not at all; it is streamed and may be gzip',
          response: { 200: Type.Object({ counts: Type.Record(Type.String(), Type.Integer()) }) },
        },
        { idempotencyKey: false },
      ),
      async (request) => {
        const body = request.body as Readable | undefined;
        if (body === undefined) return refuse(operatorFaults.invalidDocument, { reason: 'there is no body' });
        const freeSlot = takeSlot();
        try {
          const chunks = readBody(request.headers, body, SILENCE_MS);
          const result = await importDocument(request.ctx, chunks, sections, {
            mayUse: (scope) => hasScope(request.operator, scope),
          });
          if ('problems' in result)
            refuse(operatorFaults.invalidDocument, { members: { errors: result.problems } });
          return result;
        } catch (error) {
          if (error instanceof FellSilent)
            return refuse(operatorFaults.silentDocument, { headers: { connection: 'close' } });
          if (!isBadGzip(error)) throw error;
          return refuse(operatorFaults.invalidDocument, { reason: 'the body is not valid gzip' });
        } finally {
          freeSlot();
        }
      },
    );

    api.get(
      '/export',
      withScope('fleet', {
        operationId: 'operatorExport',
        summary: 'Exports the fleet document of everything or of one account, without passwords and secrets',
        querystring: Type.Object({ accountName: Type.Optional(Type.String()) }),
        response: {
          200: Type.Unsafe<Readable>({
            type: 'object',
            additionalProperties: { type: 'array' },
            description: 'Sections by name, in the format of the import',
          }),
        },
      }),
      async ({ ctx, query }, reply) => {
        const account =
          query.accountName === undefined ? undefined : await findNamedAccount(ctx, query.accountName);
        const freeSlot = takeSlot();
        const out = new PassThrough();
        // An error may occur before a consumer is attached to the stream. The reader then sees it end too early.
        out.on('error', (error) => ctx.log.warn({ err: error }, 'export ended early'));
        exportDocument(ctx.db, sections, account, writerTo(out))
          .then(
            () => out.end(),
            (error: Error) => out.destroy(error),
          )
          .finally(freeSlot);
        return reply.type('application/json; charset=utf-8').send(out);
      },
    );
  };
