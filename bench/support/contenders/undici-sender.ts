import { type Dispatcher, Pool } from 'undici';
import type { SendCallback, SendOutcome } from '../../../src/features/callbacks/index.ts';

const CONNECTIONS = 256;
const LIMIT_MS = 15_000;
const IDLE_MS = 1_500;

/** The minimum that undici needs for a POST: its dispatch calls, without a stream for the response. */
class Handler implements Dispatcher.DispatchHandler {
  readonly outcome = Promise.withResolvers<SendOutcome>();
  readonly #startedAt = performance.now();
  readonly #timer = setTimeout(() => this.#controller?.abort(new Error('late')), LIMIT_MS);
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | null = null;
  #answer = '';

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#answer += chunk.toString();
  }

  onResponseEnd(): void {
    this.#end(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(error.message);
  }

  #end(error: string | null): void {
    clearTimeout(this.#timer);
    const latencyMs = performance.now() - this.#startedAt;
    this.outcome.resolve({ status: this.#status, error, latencyMs, answer: this.#answer });
  }
}

/** A good callback sender for use with a job library: undici with many kept connections. */
export function createUndiciSender(origin: string) {
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const send: SendCallback = ({ url, body, headers }) => {
    const handler = new Handler();
    pool.dispatch({ path: url.slice(origin.length), method: 'POST', headers, body }, handler);
    return handler.outcome.promise;
  };
  return { send, close: () => pool.destroy() };
}
