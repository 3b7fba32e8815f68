import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, createClient, LinekeeperError, type OperatorRoute } from '../../sdk/index.ts';
import type { Listener } from './listener.ts';
import { type StepOf, UNANSWERED } from './schema.ts';

const MOVE_MS = 120_000;
const POLL_MS = 500;
const TURNS_MAX = 60;
/** Time limit for a move of the clock. */
const LOOKS_MAX = 7_200;

/** Any call from a scenario. */
type AnyCaller = {
  request(route: string, input: object): Promise<{ readonly status: number; readonly data: unknown }>;
};

/** The environment of a scenario: the operator, a user of its fleet, and its own listener. */
export interface Stage {
  readonly operator: Caller<OperatorRoute>;
  readonly user: AnyCaller;
  readonly listener: Listener;
  /** Ends its pending waits. */
  readonly signal?: AbortSignal | undefined;
}

interface People {
  readonly clients?: readonly { readonly clientId?: string; readonly clientSecret?: string }[];
  readonly users?: readonly { readonly username?: string; readonly password?: string }[];
}

/** The first user of the fleet, by its first application. */
export function userOf(baseUrl: string, { clients = [], users = [] }: People): AnyCaller {
  const { clientId = '', clientSecret = '' } = clients[0] ?? {};
  const { username = '', password = '' } = users[0] ?? {};
  return createClient({ baseUrl, clientId, clientSecret, username, password }) as unknown as AnyCaller;
}

type Called = Pick<StepOf<'call'>, 'call' | 'by' | 'path' | 'query' | 'body' | 'idempotencyKey'>;
interface CameBack {
  readonly status: NonNullable<StepOf<'call'>['status']>;
  readonly data: unknown;
}

/** Returns the status and the body, even for a refusal or a lost answer. */
export async function callAs(
  { operator, user, signal }: Stage,
  { call, by, ...input }: Called,
): Promise<CameBack> {
  const isOperators = by === undefined ? call.includes(' /operator/') : by === 'operator';
  const caller = isOperators ? (operator as unknown as AnyCaller) : user;
  try {
    const { status, data } = await caller.request(call, { ...input, ...(signal && { signal }) });
    return { status, data };
  } catch (error) {
    if (!(error instanceof LinekeeperError)) throw error;
    const { status, kind, message, code } = error;
    if (status === 0 && kind !== 'unreachable') throw error;
    return { status: status === 0 ? UNANSWERED : status, data: { message, code } };
  }
}

export const readNow = async (operator: Caller<OperatorRoute>): Promise<Date> =>
  new Date((await operator.call('GET /operator/v1/clock')).now);

/** If another client is moving the clock, waits until that move ends. */
export async function moveClock(
  operator: Caller<OperatorRoute>,
  body: StepOf<'clock'>['clock'],
  signal?: AbortSignal,
): Promise<Date> {
  for (let turn = 1; ; turn++) {
    try {
      await operator.call('POST /operator/v1/clock', { body, timeoutMs: MOVE_MS, ...(signal && { signal }) });
      break;
    } catch (error) {
      const busy = error instanceof LinekeeperError && error.code === 'clock_moving';
      if (!busy || turn >= TURNS_MAX) throw error;
      await sleep(POLL_MS, undefined, { signal });
    }
  }
  for (let look = 0; look < LOOKS_MAX; look++) {
    const { now, movingTo } = await operator.call('GET /operator/v1/clock');
    if (movingTo === undefined) return new Date(now);
    await sleep(POLL_MS, undefined, { signal });
  }
  throw new Error('the clock does not arrive');
}
