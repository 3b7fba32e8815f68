import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Fault } from '../context/fault.ts';
import { hasInfinity, parseExactly } from '../json/exact-json.ts';
import { isStorableJson, NOT_STORABLE } from '../json/storable-text.ts';
import { keepText } from './kept-text.ts';

export const BODY_MAX_BYTES = 16 * 1024 * 1024;
/** For bodies of callers that are not identified yet. */
export const CREDENTIALS_MAX_BYTES = 16 * 1024;
const FORM_MAX_BYTES = 64 * 1024;
/** Deeper bodies would overflow the stack of code that walks them. */
const NESTING_MAX = 200;
/**
 * Small values take many times their bytes in memory, and parsing them delays all other requests. Ten thousand devices
 * with all their identifiers have fewer values; records and rules, which are also parsed digit by digit, have far fewer.
 */
const VALUES_MAX = 400_000;
const EXACT_VALUES_MAX = 100_000;

/** The message is returned in areas that name causes. */
export class MalformedJson extends Error {}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The nesting depth of a JSON text, and a lower bound of its number of values; beyond a limit neither is exact. */
function measure(text: string): { readonly depth: number; readonly values: number } {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (inString) {
      if (char === BACKSLASH) at++;
      else if (char === QUOTE) inString = false;
    } else if (char === QUOTE) inString = true;
    else if (char === COMMA) values++;
    else if (char === OPEN_LIST || char === OPEN_OBJECT) {
      values++;
      if (++depth > deepest) deepest = depth;
    } else if (char === CLOSE_LIST || char === CLOSE_OBJECT) depth--;
  }
  return { depth: deepest, values };
}

export const nestsTooDeep = (text: string): boolean =>
  text.length > NESTING_MAX && measure(text).depth > NESTING_MAX;

const isEncoded = ({ headers }: FastifyRequest): boolean =>
  !/^(identity)?$/i.test(headers['content-encoding']?.trim() ?? '');

/**
 * A body is JSON whatever its Content-Type: published clients send any type, none at all, or a form type with an empty body.
 * An empty body counts as no body. `__proto__` is an ordinary name: JSON.parse makes it an own member, and no code here copies
 * members by assignment, which alone would set the prototype. It is ignored where it is unknown, and kept where bodies are
 * stored unchanged.
 */
export function parseEveryBodyAsJson(app: FastifyInstance): void {
  // Our parsers ignore the type, but Fastify refuses an invalid media type before it calls them.
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (headers['content-type'] !== undefined) headers['content-type'] = 'application/json';
    done();
  });
  parseBodies(app, VALUES_MAX, (_text, parsed) => parsed);
}

/** For areas with integers of up to 64 bits: those that a number cannot represent keep their digits. */
export const parseEveryBodyExactly = (app: FastifyInstance): void =>
  parseBodies(app, EXACT_VALUES_MAX, (given) => {
    const text = given.replace(/^\uFEFF/, '');
    return hasInfinity(text) ? new MalformedJson('a number is too large') : parseExactly(text);
  });

function parseBodies(
  app: FastifyInstance,
  valuesMax: number,
  read: (text: string, parsed: unknown) => unknown,
): void {
  const parse = app.getDefaultJsonParser('ignore', 'ignore');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_MAX_BYTES }, (request, given, done) => {
    const text = given as string;
    if (text.trim() === '') return done(null, undefined);
    const { faults } = request.dialect;
    if (isEncoded(request)) return done(new Fault(faults.unsupportedMedia));
    const { depth, values } = measure(text);
    if (depth > NESTING_MAX) return done(new MalformedJson(`more than ${NESTING_MAX} levels`));
    if (values > valuesMax) return done(new Fault(faults.tooLarge));
    parse(request, text, (error, body) => {
      if (error) return done(new MalformedJson('not JSON', { cause: error }));
      request.bodyText = keepText(text);
      if (!isStorableJson(text, body)) return done(new Fault(faults.invalid, { reason: NOT_STORABLE }));
      const value = read(text, body);
      if (value instanceof MalformedJson) return done(value);
      done(null, value);
    });
  });
}

/** RFC 6749, appendix A: valid values of these forms have no other characters, and some are returned in a header. */
const FORM_VALUE = /^[\x20-\x7e]*$/;

export function parseEveryBodyAsForm(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: FORM_MAX_BYTES }, (request, text, done) => {
    const { faults } = request.dialect;
    if (isEncoded(request)) return done(new Fault(faults.unsupportedMedia));
    const fields = [...new URLSearchParams(text as string)];
    const odd = fields.find(([, value]) => !FORM_VALUE.test(value));
    if (odd !== undefined)
      return done(new Fault(faults.invalid, { reason: 'form values are printable ASCII' }));
    const body = Object.fromEntries(fields);
    request.bodyText = keepText(JSON.stringify(body));
    done(null, body);
  });
}

const isGzip = ({ headers }: FastifyRequest): boolean =>
  /^(x-)?gzip$/i.test(headers['content-encoding']?.trim() ?? '');

/** For imports and feeds: the handler reads the stream itself, and unpacks it if it is gzip. */
export function streamEveryBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => {
    if (!isEncoded(request) || isGzip(request)) return done(null, payload);
    done(new Fault(request.dialect.faults.unsupportedMedia));
  });
}
