import type { LineIds, LineOrder, NetworkElement, OrderOutcome } from '../../features/network/index.ts';
import { socketAddressOf } from '../../kernel/socket-address.ts';
import { outcomeOfRefusal } from './error-causes.ts';
import { createExchange, type ExchangeLimits, RadiusFailed } from './exchange.ts';
import { type Attribute, attribute, CODES, type Packet, readAttribute } from './packet.ts';

export interface RadiusSettings extends Partial<ExchangeLimits> {
  readonly name: string;
  /** Where the access server accepts Disconnect and CoA requests, such as `127.0.0.1:3799`. */
  readonly address: string;
  readonly secret: string;
  /** Sent with each request, for proxies that forward it to the access server with this name. */
  readonly nasIdentifier?: string;
  /** How to name a line without a known session; both, unless the access server accepts only one. */
  readonly nameBy?: readonly ('imsi' | 'msisdn')[];
  /** The attribute that carries the plan of an active line. Without it plans are not sent. */
  readonly planAttribute?: 'Filter-Id' | 'Class';
  readonly batchMax?: number;
}

/** The attributes that identify one session at its access server. */
type SessionName = readonly Attribute[];

/** The sessions that an access server has for each line, in the order of the lines. */
export type SessionsOf = (lines: readonly LineIds[]) => Promise<readonly (readonly SessionName[])[]>;

const DEFAULTS: ExchangeLimits = { tries: 4, firstWaitMs: 1_000, inFlightMax: 64 };
const BATCH_MAX = 200;
const DONE: OrderOutcome = { outcome: 'done' };

const noSessions: SessionsOf = async (lines) => lines.map(() => []);

/**
 * An access server whose sessions can be disconnected and changed (RFC 5176). It stores no lines, so nothing can be read from it.
 * For a line without a known session, the request names the line and so all its sessions, and it may well have none.
 */
export function createRadius(
  { name, address, secret, batchMax = BATCH_MAX, ...rest }: RadiusSettings,
  { sessionsOf = noSessions, now }: { sessionsOf?: SessionsOf; now: () => Date },
): NetworkElement {
  const { nasIdentifier, nameBy = ['imsi', 'msisdn'], planAttribute, ...tuning } = rest;
  const exchange = createExchange(socketAddressOf(address), secret, { ...DEFAULTS, ...tuning });

  const nameOfLine = ({ imsi, msisdn }: LineIds): SessionName => [
    ...(nameBy.includes('imsi') ? [attribute('3GPP-IMSI', imsi)] : []),
    ...(nameBy.includes('msisdn') && msisdn !== undefined ? [attribute('Calling-Station-Id', msisdn)] : []),
  ];

  const ask = async (code: keyof typeof ANSWERS, attributes: readonly Attribute[], signal: AbortSignal) => {
    const all = [
      ...(nasIdentifier === undefined ? [] : [attribute('NAS-Identifier', nasIdentifier)]),
      ...attributes,
      // Protects against an attacker who replays a recorded packet.
      attribute('Event-Timestamp', now()),
    ];
    return outcomeOf(code, await exchange.request(code, all, signal));
  };

  async function askForAll(
    order: LineOrder,
    sessions: readonly SessionName[],
    signal: AbortSignal,
  ): Promise<OrderOutcome> {
    const sentPlan = planAttribute === undefined ? undefined : order.plan;
    // No session needs to be disconnected or changed.
    if (order.wanted === 'active' && sentPlan === undefined) return DONE;
    const names = sessions.length > 0 ? sessions : [nameOfLine(order)];
    if (names.some((each) => each.length === 0))
      return { outcome: 'refused', reason: 'nothing names the line to the access server' };
    const [code, more] =
      order.wanted === 'active'
        ? (['CoA-Request', [planAttributeOf(planAttribute!, sentPlan!)]] as const)
        : (['Disconnect-Request', []] as const);
    const outcomes = await Promise.all(names.map((each) => ask(code, [...each, ...more], signal)));
    return outcomes.find(({ outcome }) => outcome !== 'done') ?? DONE;
  }

  async function carryOutOne(...asked: Parameters<typeof askForAll>): Promise<OrderOutcome> {
    try {
      return await askForAll(...asked);
    } catch (error) {
      const { message: reason } = error as Error;
      // An order that does not fit into a packet will not fit the next time either.
      return { outcome: error instanceof RadiusFailed ? 'failed' : 'refused', reason };
    }
  }

  return {
    name,
    kind: 'radius',
    batchMax,
    async carryOut(orders, signal) {
      const sessions = await sessionsOf(orders).catch(() => undefined);
      if (sessions === undefined)
        return orders.map(() => ({ outcome: 'failed', reason: 'the sessions of the lines are not known' }));
      return Promise.all(orders.map((order, n) => carryOutOne(order, sessions[n] ?? [], signal)));
    },
    close: exchange.close,
  };
}

const planAttributeOf = (name: 'Filter-Id' | 'Class', plan: string): Attribute =>
  name === 'Class' ? attribute(name, Buffer.from(plan)) : attribute(name, plan);

/** The positive and the negative answer to a request. */
const ANSWERS = {
  'Disconnect-Request': [CODES['Disconnect-ACK'], CODES['Disconnect-NAK']],
  'CoA-Request': [CODES['CoA-ACK'], CODES['CoA-NAK']],
} as const;

function outcomeOf(asked: 'Disconnect-Request' | 'CoA-Request', answer: Packet): OrderOutcome {
  const [yes, no] = ANSWERS[asked];
  if (answer.code === yes) return DONE;
  if (answer.code === no) return outcomeOfRefusal(readAttribute(answer, 'Error-Cause'));
  return { outcome: 'failed', reason: `the access server answered with code ${answer.code}` };
}
