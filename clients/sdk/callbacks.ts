import type { CallbackMessages, CallbackServices } from './payloads.ts';
import {
  BODY_BYTES_MAX,
  type CallbackAnswer,
  type CallbackOptions,
  createReceiver,
  type Receiver,
} from './receive-callback.ts';
import type { AnyPayload } from './verify-callback.ts';

export { serviceOf } from './callback-service.ts';
export type { CallbackMessages, CallbackServices } from './payloads.ts';
export {
  type CallbackAnswer,
  type CallbackOptions,
  createReceiver,
  type Receiver,
} from './receive-callback.ts';
export {
  type AnyPayload,
  type Callback,
  type CallbackHeaders,
  type CallbackToVerify,
  type RefusalReason,
  type Verdict,
  verifyCallback,
} from './verify-callback.ts';

/** The services that listeners register for. */
export type CallbackService = keyof CallbackServices;
/** A message to a listener of the service. */
export type CallbackPayload<Service extends CallbackService = CallbackService> =
  CallbackMessages[CallbackServices[Service]];

type NodeHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The parts needed of a request and a response, which those of Node and Express have. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  readonly headers: NodeHeaders;
}

export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text: string): unknown;
}

/** Undefined if the body is too long. It is still read to its end, because the answer needs the connection. */
async function readBody(request: AsyncIterable<Uint8Array>, max: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= max) chunks.push(new Uint8Array(chunk));
  }
  return length > max ? undefined : new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function answerWith(response: NodeResponse, { status, message }: CallbackAnswer): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ message }));
}

const handleBy =
  (receive: Receiver, bodyBytesMax = BODY_BYTES_MAX) =>
  async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    if (request.method !== undefined && request.method !== 'POST')
      return answerWith(response, { status: 405, message: 'Callbacks use POST' });
    const body = await readBody(request, bodyBytesMax).catch(() => undefined);
    if (body === undefined) return answerWith(response, { status: 413, message: 'The body is too long' });
    answerWith(response, await receive(request.headers, body));
  };

/** `http.createServer(callbackHandler({ … }))` */
export const callbackHandler = <Payload extends object = AnyPayload>(options: CallbackOptions<Payload>) =>
  handleBy(createReceiver(options), options.bodyBytesMax);

/** `app.post('/callbacks', callbackMiddleware({ … }))`, before or without a parser, because the signature covers the bytes. */
export function callbackMiddleware<Payload extends object = AnyPayload>(options: CallbackOptions<Payload>) {
  const receive = createReceiver(options);
  const handle = handleBy(receive, options.bodyBytesMax);
  return (
    request: NodeRequest & { readonly body?: unknown; readonly rawBody?: unknown },
    response: NodeResponse,
    next: (error: unknown) => void,
  ): void => {
    const kept = request.rawBody ?? request.body;
    const isRaw = typeof kept === 'string' || kept instanceof Uint8Array;
    const work = async () => {
      if (isRaw) return answerWith(response, await receive(request.headers, kept));
      if (kept === undefined) return handle(request, response);
      throw new TypeError('The body is already parsed: mount callbackMiddleware before express.json()');
    };
    work().catch(next);
  };
}

/** The needed part of a Fastify instance. */
export interface FastifyLike {
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parse: (request: unknown, body: Uint8Array) => Promise<unknown>,
  ): unknown;
  post(
    path: string,
    handle: (
      request: { readonly headers: NodeHeaders; readonly body: unknown },
      reply: { code(status: number): unknown },
    ) => Promise<unknown>,
  ): unknown;
}

/** `app.register(callbackPlugin({ … }), { prefix: '/callbacks' })`; other routes keep their own parsers. */
export function callbackPlugin<Payload extends object = AnyPayload>(options: CallbackOptions<Payload>) {
  const receive = createReceiver(options);
  const { bodyBytesMax: bodyLimit = BODY_BYTES_MAX } = options;
  return async (app: FastifyLike): Promise<void> => {
    app.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit }, async (_, body) => body);
    app.post('/', async ({ headers, body }, reply) => {
      const { status, message } = await receive(headers, body instanceof Uint8Array ? body : '');
      reply.code(status);
      return { message };
    });
  };
}
