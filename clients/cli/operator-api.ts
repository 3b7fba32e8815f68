import {
  type Caller,
  createOperatorClient,
  createSend,
  LinekeeperError,
  type LooseInput,
  type OperatorRoute,
  type Read,
} from '../sdk/index.ts';
import { nodeFetch } from './open-request.ts';
import type { Run } from './run.ts';
import { findOperator } from './settings.ts';

/** Time limit for an answer without --timeout. */
const CALL_SECONDS = 30;

export interface Transfer extends Pick<LooseInput, 'query' | 'headers' | 'raw' | 'idempotencyKey'> {
  /** Time limit for silence in both directions without --timeout. */
  readonly idleSeconds: number;
}

/** The operator API with the time-outs of a command. */
export interface OperatorApi extends Caller<OperatorRoute> {
  readonly url: URL;
  /** The time limit of a slow call; --timeout takes precedence. */
  timeoutMs(seconds: number): number;
  /** Sends a document or a feed of any length; the answer may begin before all is sent. */
  transfer<T>(route: string, transfer: Transfer, read: Read<T>): Promise<T>;
}

/** The subject of the service's sentence: the account, the objects in the path, or the whole input. */
function describeInput(sentence: string, { path = {}, query = {}, body = {} }: LooseInput): string {
  const given = { ...query, ...(body as object), ...path } as Record<string, unknown>;
  const { accountName } = given;
  if (/account/i.test(sentence) && typeof accountName === 'string') return accountName;
  const words = Object.values(Object.keys(path).length > 0 ? path : given);
  return words.filter((word) => typeof word === 'string').join(' ');
}

/** Adds the source of the key, or the name, which the service's sentence omits. */
function explain(error: unknown, source: string, input: LooseInput = {}): never {
  if (error instanceof LinekeeperError && error.kind === 'refused') {
    const { status, message } = error;
    const said = message.replace(/\.$/, '');
    const named = status === 404 || status === 400 ? describeInput(said, input) : '';
    if (status === 401 || status === 403) error.message = `${said}; the key came from ${source}`;
    else if (!said.includes(named)) error.message = `${said}: ${named}`;
  }
  throw error;
}

export function openOperatorApi(run: Run): OperatorApi {
  const { url, key: operatorKey, source } = findOperator(run);
  const baseUrl = url.href;
  const timeoutMs = (seconds: number) => (run.options.timeout ?? seconds) * 1_000;
  const explained = async <T>(sent: Promise<T>, input?: LooseInput): Promise<T> =>
    sent.catch((error: unknown) => explain(error, source, input));
  const connection = { baseUrl, operatorKey, fetch: nodeFetch(), timeoutMs: timeoutMs(CALL_SECONDS) };
  const client = createOperatorClient(connection);
  return {
    url,
    timeoutMs,
    open: client.open,
    call: (route, ...input) => explained(client.call(route, ...input), input[0] as LooseInput),
    request: (route, ...input) => explained(client.request(route, ...input), input[0] as LooseInput),
    transfer(route, { idleSeconds, ...input }, read) {
      const fetch = nodeFetch(timeoutMs(idleSeconds));
      const send = createSend({ baseUrl, fetch, timeoutMs: Number.POSITIVE_INFINITY });
      return explained(send(route, input, { authorization: `Bearer ${operatorKey}` }, read), input);
    },
  };
}
