import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { serviceOf, verifyCallback } from '../../sdk/callbacks.ts';
import { Ended, wrongUsage } from '../failure.ts';
import { numberWithin } from '../parse-value.ts';
import { plainText } from '../plain-text.ts';
import { print } from '../print.ts';
import { type GlobalOptions, runOf } from '../run.ts';

const BODY_MAX = 1024 * 1024;
const SECRET = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/;

interface Options extends GlobalOptions {
  readonly port: number;
  readonly host: string;
  readonly path: string;
  readonly secret: readonly string[];
  readonly status?: number;
  readonly hang?: boolean;
  readonly delay?: number;
  readonly failFirst?: number;
  readonly max?: number;
}

interface Verdict {
  readonly signature: 'valid' | 'invalid' | 'not checked';
  readonly reason?: string;
}

async function verify(
  secrets: readonly string[],
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
): Promise<Verdict> {
  if (secrets.length === 0) return { signature: 'not checked' };
  const verdict = await verifyCallback({ headers, rawBody, secret: secrets });
  // Shows any signed body, because nothing here processes it.
  if (verdict.valid || verdict.reason === 'body') return { signature: 'valid' };
  return { signature: 'invalid', reason: `${verdict.message[0]?.toLowerCase()}${verdict.message.slice(1)}` };
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function describe({ url, headers }: IncomingMessage, bytes: Buffer, secrets: readonly string[]) {
  const body = parseJson(bytes.toString('utf8'));
  const fields = fieldsOf(body);
  const { transactionID } = { ...fields, ...fieldsOf(fields['message']) };
  return {
    at: new Date().toISOString(),
    path: url,
    service: serviceOf(fields),
    requestId: fields['requestId'] ?? transactionID ?? fields['txid'],
    callbackCount: fields['callbackCount'],
    maxCallbackThreshold: fields['maxCallbackThreshold'],
    webhookId: headers['webhook-id'],
    ...(await verify(secrets, headers, bytes)),
    body,
  };
}

type Callback = Awaited<ReturnType<typeof describe>> & { readonly answer: number | 'none' };

function toLines({ body, ...callback }: Callback): string[] {
  // A test event may have an empty payload, which does not identify its service.
  const { service = 'unknown service', callbackCount = '?', maxCallbackThreshold = '?', reason } = callback;
  const head = [
    callback.at,
    service,
    `request ${callback.requestId ?? 'unknown'}`,
    `attempt ${callbackCount} of ${maxCallbackThreshold}`,
    `webhook-id ${callback.webhookId ?? 'none'}`,
    `signature ${callback.signature}${reason === undefined ? '' : `: ${reason}`}`,
    callback.answer === 'none' ? 'not answered' : `answered ${callback.answer}`,
  ];
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  return [head.join('  '), ...text.split('\n'), ''].map(plainText);
}

/** Undefined if the body is longer than any callback. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Keeps the stream of a body that is too long, because the refusal uses the same connection.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > BODY_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const isBelow = (path: string, url = '/'): boolean => {
  const { pathname } = new URL(url, 'http://listener');
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
};

/** Refuses and closes the connection, so that the caller does not wait on it. */
const refuse = (response: ServerResponse, status: number) =>
  void response.writeHead(status, { connection: 'close' }).end();

async function listen(_: object, command: Command): Promise<void> {
  const run = runOf<Options>(command);
  const { options } = run;
  const { failFirst, max = Number.POSITIVE_INFINITY } = options;
  if (!options.secret.every((secret) => SECRET.test(secret)))
    throw wrongUsage('A secret is the value of the header Webhook-Secret at registration: whsec_ and base64');
  const say = (event: object, lines: readonly string[]) =>
    print(run, run.json ? JSON.stringify(event) : lines.join('\n'));
  let [received, open] = [0, 0];

  const answerOf = (index: number): Callback['answer'] => {
    const fails = index < (failFirst ?? Number.POSITIVE_INFINITY);
    if (fails && options.hang) return 'none';
    return fails ? (options.status ?? (failFirst === undefined ? 200 : 500)) : 200;
  };
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isBelow(options.path, request.url)) return refuse(response, 404);
    if (request.method !== 'POST') return refuse(response, 405);
    const bytes = await readBody(request);
    if (bytes === undefined || received >= max) return refuse(response, bytes === undefined ? 413 : 503);
    const answer = answerOf(received++);
    // Counts open callbacks, so that the last one is printed and answered before the end.
    open++;
    try {
      const callback = { ...(await describe(request, bytes, options.secret)), answer };
      say({ event: 'callback', ...callback }, toLines(callback));
      if (answer === 'none') return;
      await setTimeout(options.delay ?? 0, undefined, { ref: false });
      if (!response.destroyed)
        await new Promise<void>((resolve) => response.writeHead(answer).once('close', resolve).end());
    } finally {
      open--;
    }
  };
  const server = createServer((request, response) => {
    take(request, response)
      .catch(() => response.destroy())
      .finally(() => void (received >= max && open === 0 && end()));
  });
  const end = () => {
    server.close();
    server.closeAllConnections();
  };
  server.listen(options.port, options.host);
  await once(server, 'listening').catch(({ message }: Error) => {
    throw wrongUsage(`Cannot listen: ${message}`);
  });
  let interrupted: number | undefined;
  run.around.onInterrupt((exitCode) => {
    interrupted = exitCode;
    end();
  });
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  const url = `http://${host}:${port}${options.path}`;
  say({ event: 'listening', url }, [`Listening on ${url}; Ctrl-C ends it.`, '']);
  await once(server, 'close');
  const count = `${received} ${received === 1 ? 'callback' : 'callbacks'} received.`;
  say({ event: 'end', received }, [count]);
  if (interrupted !== undefined) throw new Ended(interrupted);
}

function absolutePath(text: string): string {
  if (!text.startsWith('/') || /[?#\s]/.test(text))
    throw new InvalidArgumentError('It must begin with a slash, such as /callbacks.');
  return text;
}

const MANY = 1_000_000_000;

export function addListen(program: Command): void {
  program
    .command('listen')
    .description(
      'Receives callbacks on this machine, prints each one and checks its signature; needs no service.',
    )
    .option('--port <port>', 'port; 0 selects a free one', numberWithin(0, 65_535, 9_000), 9_000)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--path <path>',
      'path of the listener, including all paths below; other paths answer 404',
      absolutePath,
      '/',
    )
    .option(
      '--secret <secret>',
      'whsec_… of the listener, for checking signatures; may be repeated',
      (one: string, before: readonly string[]) => [...before, one],
      [],
    )
    .option('--status <code>', 'status to answer instead of 200', numberWithin(200, 599, 503))
    .option('--hang', 'accept callbacks and never answer')
    .option('--delay <ms>', 'answer after this many milliseconds', numberWithin(0, 3_600_000, 500))
    .option('--fail-first <n>', 'only the first n get --status (500) or --hang', numberWithin(0, MANY, 2))
    .option('--max <n>', 'end after n callbacks', numberWithin(1, MANY, 10))
    .addHelpText('after', '\nExample:\n  $ linekeeper listen --secret whsec_… --fail-first 2')
    .action(listen);
}
