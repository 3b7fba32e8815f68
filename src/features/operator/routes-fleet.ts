import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { refuse } from '../../platform/fault.ts';
import { exportDocument } from '../../platform/fleet-document/export-document.ts';
import { importDocument } from '../../platform/fleet-document/import-document.ts';
import type { FleetSection } from '../../platform/fleet-document/section.ts';
import { operatorWith } from '../../platform/http/access.ts';
import { streamEveryBody } from '../../platform/http/json-body.ts';
import { findNamedAccount } from './delete-account.ts';
import { operatorFaults } from './errors.ts';

const TEXT_HELD = 256 * 1024;

const isBadGzip = (error: unknown) => String((error as NodeJS.ErrnoException).code).startsWith('Z_');

/** Leaving the loop over it early must not cut the connection: the answer still has to travel on it. */
function plainBytes(headers: IncomingHttpHeaders, body: Readable): AsyncIterable<Buffer> {
  if (headers['content-encoding'] !== 'gzip') return body.iterator({ destroyOnReturn: false });
  const gunzip = createGunzip();
  // The error reaches whoever reads the unpacked bytes; unheard here it would end the process.
  body.on('error', (error) => gunzip.destroy(error));
  gunzip.on('error', () => body.unpipe(gunzip));
  return body.pipe(gunzip).iterator({ destroyOnReturn: false });
}

export const fleetRoutes =
  (sections: readonly FleetSection[]): FastifyPluginAsyncTypebox =>
  async (api) => {
    streamEveryBody(api);

    api.post(
      '/import',
      {
        config: { access: operatorWith('fleet'), idempotencyKey: false },
        schema: {
          operationId: 'operatorImport',
          summary: 'Upserts a fleet document, whole or not at all; it is streamed, and may be gzip',
          response: { 200: Type.Object({ counts: Type.Record(Type.String(), Type.Integer()) }) },
        },
      },
      async (request) => {
        const body = request.body as Readable | undefined;
        if (body === undefined) return refuse(operatorFaults.invalidDocument, { reason: 'there is no body' });
        try {
          const result = await importDocument(request.ctx, plainBytes(request.headers, body), sections);
          if ('problems' in result)
            refuse(operatorFaults.invalidDocument, { members: { errors: result.problems } });
          return result;
        } catch (error) {
          if (!isBadGzip(error)) throw error;
          return refuse(operatorFaults.invalidDocument, { reason: 'the body is not valid gzip' });
        } finally {
          // What is left of a refused document is read and dropped, so that its sender gets the answer.
          body.resume();
        }
      },
    );

    api.get(
      '/export',
      {
        config: { access: operatorWith('fleet') },
        schema: {
          operationId: 'operatorExport',
          summary:
            'The fleet document of everything, or of one account; passwords and secrets are never in it',
          querystring: Type.Object({ accountName: Type.Optional(Type.String()) }),
        },
      },
      async ({ ctx, query }, reply) => {
        const account =
          query.accountName === undefined ? undefined : await findNamedAccount(ctx, query.accountName);
        const out = new Readable({ read: () => waiting?.(), highWaterMark: TEXT_HELD });
        let waiting: (() => void) | undefined;
        // Waits until the reader has taken what it was given: memory does not grow with a slow reader.
        const write = (text: string): Promise<void> => {
          if (out.destroyed) return Promise.reject(new Error('the reader went away'));
          if (out.push(text)) return Promise.resolve();
          return new Promise((resolve, reject) => {
            waiting = resolve;
            out.once('close', () => reject(new Error('the reader went away')));
          });
        };
        exportDocument(ctx.db, sections, account ?? {}, write).then(
          () => out.push(null),
          (error: Error) => out.destroy(error),
        );
        return reply.type('application/json; charset=utf-8').send(out);
      },
    );
  };
