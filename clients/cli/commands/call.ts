import { Argument, type Command, InvalidArgumentError } from 'commander';
import { createClient, type LooseInput, type Read, readJson } from '../../sdk/index.ts';
import { wrongUsage } from '../failure.ts';
import { nodeFetch } from '../open-request.ts';
import { openOperatorApi } from '../operator-api.ts';
import { parseBody } from '../parse-body.ts';
import { plainText } from '../plain-text.ts';
import { print } from '../print.ts';
import { type GlobalOptions, type Run, runOf } from '../run.ts';
import { findUser } from '../settings.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const CALL_SECONDS = 30;
const OPERATOR = /^\/operator\/v1\//;

type Pairs = Readonly<Record<string, string>>;

const pair =
  (between: string) =>
  (text: string, before: Pairs = {}): Pairs => {
    const at = text.indexOf(between);
    if (at < 1) throw new InvalidArgumentError(`It must have the form name${between}value.`);
    return { ...before, [text.slice(0, at).trim()]: text.slice(at + 1).trim() };
  };

interface CallOptions extends GlobalOptions {
  readonly body?: string;
  readonly query?: Pairs;
  readonly header?: Pairs;
  readonly idempotencyKey?: string;
  readonly include?: boolean;
}

/** The session ends with the command; each command opens a new one. */
async function sendAsUser<T>(route: string, input: LooseInput, run: Run, read: Read<T>): Promise<T> {
  const timeoutMs = (run.options.timeout ?? CALL_SECONDS) * 1_000;
  const client = createClient({ ...findUser(run), fetch: nodeFetch(), timeoutMs });
  try {
    return await client.send(route, input, read);
  } finally {
    // A failure does not matter, because the session also expires on its own.
    await client.logOut().catch(() => {});
  }
}

function sendAsOperator<T>(route: string, input: LooseInput, run: Run, read: Read<T>): Promise<T> {
  const { body, ...others } = input;
  const json = body !== undefined && { raw: JSON.stringify(body) };
  const type = { 'content-type': 'application/json' };
  const transfer = { ...others, ...json, headers: { ...type, ...input.headers }, idleSeconds: CALL_SECONDS };
  return openOperatorApi(run).transfer(route, transfer, read);
}

async function call(method: string, path: string, _: object, command: Command): Promise<void> {
  const run = runOf<CallOptions>(command);
  const { around, json, options } = run;
  if (!path.startsWith('/'))
    throw wrongUsage(
      `${path} is not a path: it must begin with a slash and exclude the base path of the service`,
      'linekeeper call GET /m2m/v1/plans/0000123456-00001',
    );
  const body = options.body === undefined ? undefined : await parseBody(around, options.body);
  const { query, header: headers, idempotencyKey } = options;
  const input = { body, query, headers, idempotencyKey };
  const send = OPERATOR.test(path) ? sendAsOperator : sendAsUser;
  const answer = await send(`${method} ${path}`, input, run, async (response) => ({
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await readJson<unknown>(response),
  }));
  if (json) return print(run, JSON.stringify(options.include ? answer : (answer.body ?? null)));
  if (options.include) {
    const lines = [`${answer.status}`, ...Object.entries(answer.headers).map((pair) => pair.join(': ')), ''];
    print(run, lines.map(plainText).join('\n'));
  }
  if (answer.body !== undefined)
    print(run, JSON.stringify(answer.body, null, 2).split('\n').map(plainText).join('\n'));
}

export function addCall(program: Command): void {
  program
    .command('call')
    .description(
      'Makes any call to the public interface with both tokens of the profile, or to the operator API with its key, ' +
        'and prints the answer as JSON.',
    )
    .addArgument(
      new Argument('<method>', 'GET, POST, …').choices(METHODS).argParser((text) => methodOf(text)),
    )
    .argument('<path>', 'path below the base path of the service, optionally with a query')
    .option('--body <json>', 'body of the request: JSON, @file or @- for standard input')
    .option('--query <name=value>', 'part of the query; may be repeated', pair('='))
    .option('--header <name:value>', 'header of the request; may be repeated', pair(':'))
    .option('--idempotency-key <key>', 'repeating the call with the same key has no effect')
    .option('-i, --include', 'print status and headers too')
    .addHelpText(
      'after',
      '\nExamples:\n  $ linekeeper call GET /m2m/v1/plans/0000123456-00001 --profile demo' +
        '\n  $ linekeeper call POST /m2m/v1/callbacks/0000123456-00001 -i \\' +
        '\n      --body \'{"name":"CarrierService","url":"http://127.0.0.1:9000/"}\'',
    )
    .action(call);
}

function methodOf(text: string): string {
  const method = METHODS.find((name) => name === text.toUpperCase());
  if (method === undefined) throw new InvalidArgumentError(`It must be one of ${METHODS.join(', ')}.`);
  return method;
}
