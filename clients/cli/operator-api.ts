import {
  type Caller,
  createOperatorClient,
  createSend,
  type LooseInput,
  type OperatorRoute,
  type Read,
} from '../sdk/index.ts';
import { nodeFetch } from './open-request.ts';
import type { Run } from './run.ts';
import { findOperator } from './settings.ts';

/** An answer is expected within this, unless --timeout says otherwise. */
const CALL_SECONDS = 30;

export interface Transfer extends Pick<LooseInput, 'query' | 'headers' | 'raw' | 'idempotencyKey'> {
  /** Without a byte in either direction for this long, unless --timeout says otherwise. */
  readonly idleSeconds: number;
}

/** The operator's calls, with the time-outs of a command. */
export interface OperatorApi extends Caller<OperatorRoute> {
  readonly url: URL;
  /** For what takes longer than other calls; --timeout still wins. */
  timeoutMs(seconds: number): number;
  /** A document or a feed of any length; the answer may begin before all is sent. */
  transfer<T>(route: string, transfer: Transfer, read: Read<T>): Promise<T>;
}

export function openOperatorApi(run: Run): OperatorApi {
  const { url, key: operatorKey } = findOperator(run);
  const baseUrl = url.href;
  const timeoutMs = (seconds: number) => (run.options.timeout ?? seconds) * 1_000;
  return {
    url,
    timeoutMs,
    ...createOperatorClient({ baseUrl, operatorKey, fetch: nodeFetch(), timeoutMs: timeoutMs(CALL_SECONDS) }),
    transfer(route, { idleSeconds, ...input }, read) {
      const fetch = nodeFetch(timeoutMs(idleSeconds));
      const send = createSend({ baseUrl, fetch, timeoutMs: Number.POSITIVE_INFINITY });
      return send(route, input, { authorization: `Bearer ${operatorKey}` }, read);
    },
  };
}
