import { Agent, request as send } from 'undici';
import {
  type PositionSource,
  type SourceAnswer,
  SourceRefused,
  type SourceRequest,
  type Target,
} from '../../features/locations/index.ts';
import { concurrencyLimit } from '../../platform/flow-control/limits.ts';
import { type Asker, type MlpVersion, readSlia, type Slia, writeSlir } from './immediate.ts';
import { failureOf, TOO_MANY } from './results.ts';
import { BadDocument } from './xml.ts';

export interface MlpSettings {
  readonly name: string;
  readonly url: string;
  /** The name of this client at the location server. */
  readonly client: string;
  readonly password?: string;
  readonly serviceId?: string;
  readonly timeoutMs?: number;
  readonly version?: MlpVersion;
  readonly maxMsidsPerRequest?: number;
  readonly maxConcurrent?: number;
  readonly horizontalM?: Asker['horizontalM'];
}

const TIMEOUT_MS = 5_000;
const VERSION: MlpVersion = '3.2.0';
/** Limits that servers are known to accept. */
const MSIDS_MAX = 10;
const CONCURRENT_MAX = 8;
const HORIZONTAL_M = { coarse: 1_000, precise: 50 };
/** Enough for some thousand positions. */
const ANSWER_BYTES_MAX = 4 * 2 ** 20;
const TIMED_OUT: SourceAnswer = { failure: { type: 'TIMEOUT' } };

/** The number of a device in the network: a ten-digit one is North American. */
function msisdnOf({ msisdn, mdn }: Target): string | undefined {
  const digits = (msisdn ?? mdn ?? '').replaceAll(/\D/g, '');
  if (digits === '' || digits.length > 15) return undefined;
  return msisdn === null && digits.length === 10 ? `1${digits}` : digits;
}

/** A location server that gives current positions of lines by the Mobile Location Protocol. */
export function createMlp(
  settings: MlpSettings,
  now: () => Date,
): PositionSource & { close(): Promise<void> } {
  const { name, url, timeoutMs = TIMEOUT_MS, maxMsidsPerRequest = MSIDS_MAX } = settings;
  const { client, password, serviceId, version = VERSION, horizontalM = HORIZONTAL_M } = settings;
  const maxConcurrent = settings.maxConcurrent ?? CONCURRENT_MAX;
  const asker: Asker = { version, client, password, serviceId, horizontalM };
  const agent = new Agent({ connections: maxConcurrent, maxResponseSize: ANSWER_BYTES_MAX });
  const slots = concurrencyLimit(maxConcurrent);
  /** Reduced when the server says that it accepts fewer. */
  let chunkMax = maxMsidsPerRequest;

  async function post(body: string, signal: AbortSignal): Promise<string> {
    const headers = { 'content-type': 'text/xml; charset=utf-8', accept: 'text/xml' };
    const answer = await send(url, { method: 'POST', headers, body, dispatcher: agent, signal });
    const text = await answer.body.text();
    if (answer.statusCode === 200) return text;
    const reason = `the location server answered ${answer.statusCode}`;
    throw answer.statusCode < 500 ? new SourceRefused(reason) : new Error(reason);
  }

  async function ask(
    msisdns: readonly string[],
    accuracy: SourceRequest['accuracy'],
    leftMs: number,
    signal: AbortSignal,
  ): Promise<Slia> {
    const text = await slots.run(() => post(writeSlir(asker, msisdns, accuracy, leftMs), signal));
    try {
      return readSlia(text, now);
    } catch (error) {
      if (!(error instanceof BadDocument)) throw error;
      throw new Error(`the answer of the location server cannot be read: ${error.message}`);
    }
  }

  /** Halves a request that the server calls too large, as often as necessary. */
  async function locateNumbers(
    msisdns: readonly string[],
    accuracy: SourceRequest['accuracy'],
    until: { readonly atMs: number; readonly signal: AbortSignal },
  ): Promise<Map<string, SourceAnswer>> {
    const answers = new Map<string, SourceAnswer>();
    const waiting = [...msisdns];
    while (waiting.length > 0) {
      const chunk = waiting.splice(0, chunkMax);
      const leftMs = until.atMs - performance.now();
      const slia = await ask(chunk, accuracy, leftMs, until.signal).catch((error) => {
        // The source was not reached, unless some numbers have their answer.
        if (answers.size === 0 || !until.signal.aborted) throw error;
        return undefined;
      });
      const failure = slia && 'result' in slia ? failureOf(slia.result) : undefined;
      if (failure?.type === TOO_MANY && chunk.length > 1) {
        chunkMax = Math.max(1, Math.floor(chunk.length / 2));
        waiting.unshift(...chunk);
      } else
        for (const msisdn of chunk) {
          const answer =
            slia === undefined
              ? TIMED_OUT
              : failure
                ? { failure }
                : 'answers' in slia
                  ? slia.answers.get(msisdn)
                  : undefined;
          if (answer !== undefined) answers.set(msisdn, answer);
        }
    }
    return answers;
  }

  return {
    name,
    batchMax: maxMsidsPerRequest,
    async locate(targets, { accuracy, timeLimitMs, signal }) {
      const limitMs = Math.min(timeoutMs, timeLimitMs);
      const numbers = new Map(targets.map((target) => [target.deviceId, msisdnOf(target)]));
      const known = [...new Set(numbers.values().filter((number) => number !== undefined))];
      const until = {
        atMs: performance.now() + limitMs,
        signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
      };
      const answers = await locateNumbers(known, accuracy, until);
      return new Map(
        numbers.entries().flatMap(([deviceId, number]): [string, SourceAnswer][] => {
          if (number === undefined) return [[deviceId, { failure: { type: 'UNKNOWN SUBSCRIBER' } }]];
          const answer = answers.get(number);
          return answer === undefined ? [] : [[deviceId, answer]];
        }),
      );
    },
    close: () => agent.destroy(),
  };
}
