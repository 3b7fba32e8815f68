import type { FastifyInstance } from 'fastify';

export const BODY_MAX_BYTES = 16 * 1024 * 1024;
const FORM_MAX_BYTES = 64 * 1024;

export class MalformedJson extends Error {}

/**
 * A body is JSON whatever Content-Type says: published clients send any type, none at all, or a
 * form type with an empty body. An empty body is no body. Keys that could change an object's
 * prototype make a body malformed.
 */
export function parseEveryBodyAsJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_MAX_BYTES }, (request, text, done) => {
    if ((text as string).trim() === '') return done(null, undefined);
    parse(request, text as string, (error, body) =>
      error ? done(new MalformedJson('not JSON', { cause: error })) : done(null, body),
    );
  });
}

export function parseEveryBodyAsForm(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: FORM_MAX_BYTES }, (_request, text, done) => {
    done(null, Object.fromEntries(new URLSearchParams(text as string)));
  });
}

/** Imports and feeds: the handler reads the stream itself, piece by piece. */
export function streamEveryBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
}
