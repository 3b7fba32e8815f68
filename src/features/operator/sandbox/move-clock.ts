import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { addDuration, type Duration, parseDuration } from '../../../kernel/duration.ts';
import { type ClockMover, MayNotMove, StillMoving } from '../../../platform/clock/clock-mover.ts';
import type { Ctx } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { hasScope, scopeMissing } from '../../../platform/http/access.ts';
import { announceAccessChange } from '../../sessions/index.ts';
import { operatorFaults } from '../errors.ts';
import { parseTime } from '../route.ts';
import { truncateDomain } from '../sql.ts';
import type { Simulator } from './simulate-device.ts';

export interface ClockDeps {
  /** Undefined in production, where the clock is real. */
  readonly mover: ClockMover | undefined;
  readonly countOtherNodes: () => Promise<number>;
  /** Only a process that also runs due work can move the clock. */
  readonly worksAll: boolean;
  readonly waitMs: number;
  /** The simulator, if there is one. */
  readonly life: Pick<Simulator, 'standStill'> | undefined;
  /** Restores the data that a reset deleted and a running service needs. */
  readonly afterReset: () => Promise<void>;
}

/** Why the clock cannot be moved while other processes are up. */
export const MOVED_ALONE = 'it moves only with one process, of role all';

const FURTHEST: Duration = { months: 10 * 12, ms: 0 };

async function moverOrRefuse({ mover, worksAll, countOtherNodes }: ClockDeps): Promise<ClockMover> {
  const reason = mover === undefined ? 'it is real outside the sandbox' : MOVED_ALONE;
  if (mover === undefined || !worksAll || (await countOtherNodes()) > 0)
    return refuse(operatorFaults.clockFixed, { reason });
  return mover;
}

/** Refuses several at once: they contradict each other, and one of them may be the reset. */
function refuseUnlessOne({ advance, set, freeze, reset }: Static<typeof MoveBody>): void {
  const given = [advance, set, freeze, reset || undefined].filter((value) => value !== undefined);
  if (given.length !== 1)
    refuse(operatorFaults.badTime, { reason: 'give one of advance, set, freeze and reset' });
}

function targetOf(now: Date, { advance, set = '' }: { advance?: string; set?: string }): Date {
  const reason = 'advance is not an ISO 8601 duration';
  const to =
    advance === undefined
      ? parseTime('set', set)
      : addDuration(now, parseDuration(advance) ?? refuse(operatorFaults.badTime, { reason }));
  if (to < now) return refuse(operatorFaults.clockBackwards);
  // A duration beyond the range of dates gives an invalid date, for which this comparison is false.
  return to <= addDuration(now, FURTHEST) ? to : refuse(operatorFaults.clockTooFar);
}

export const WireClock = Type.Object({
  now: Type.String(),
  offsetMs: Type.Integer(),
  frozen: Type.Boolean(),
  movingFrom: Type.Optional(Type.String({ description: 'The start of the move in progress' })),
  movingTo: Type.Optional(Type.String()),
  ran: Type.Optional(Type.Integer()),
  remaining: Type.Optional(Type.Integer()),
});

export const MoveBody = Type.Object({
  advance: Type.Optional(Type.String({ maxLength: 40 })),
  set: Type.Optional(Type.String({ maxLength: 40 })),
  freeze: Type.Optional(Type.Boolean()),
  reset: Type.Optional(Type.Boolean()),
  life: Type.Optional(
    Type.Boolean({
      description: 'False, with advance or set: the simulated devices stand still during the move',
    }),
  ),
});

export const WireMove = Type.Object({
  now: Type.String(),
  ran: Type.Integer(),
  remaining: Type.Optional(Type.Integer()),
});

export async function getClock(ctx: Ctx, { mover }: ClockDeps): Promise<Static<typeof WireClock>> {
  const now = {
    now: ctx.now().toISOString(),
    offsetMs: Math.round(ctx.clock.offsetMs()),
    frozen: mover?.isFrozen() ?? false,
  };
  const move = mover?.current();
  if (mover === undefined || move === undefined) return now;
  // If the count fails, the rest of the answer is still valid.
  const remaining = await mover.remaining().catch(() => undefined);
  const { from, to, ran } = move;
  const moving = { movingFrom: from.toISOString(), movingTo: to.toISOString(), ran };
  return { ...now, ...moving, ...(remaining !== undefined && { remaining }) };
}

/** Converts errors of the mover to refusals. */
async function orRefuse<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StillMoving) return refuse(operatorFaults.clockMoving);
    if (error instanceof MayNotMove) return refuse(operatorFaults.clockFixed, { reason: error.message });
    throw error;
  }
}

const begin = (ctx: Ctx, mover: ClockMover, body: Static<typeof MoveBody>, { life }: ClockDeps) =>
  orRefuse(async () => {
    const now = ctx.now();
    const to = targetOf(now, body);
    const move = body.advance === undefined ? mover.moveTo(to) : mover.advance(to.getTime() - now.getTime());
    // Only after the move has started: a refused move must not stop the simulator.
    if (body.life === false) await life?.standStill(to);
    return move;
  });

/** If the due work takes longer than the caller waits, the answer has the number of remaining jobs. */
export async function moveClock(
  ctx: Ctx,
  body: Static<typeof MoveBody>,
  deps: ClockDeps,
): Promise<Static<typeof WireMove>> {
  refuseUnlessOne(body);
  if (body.freeze !== undefined && deps.mover === undefined) return refuse(operatorFaults.sandboxOnly);
  const mover = await moverOrRefuse(deps);
  const unmoved = () => ({ now: ctx.now().toISOString(), ran: 0 });
  if (body.freeze !== undefined) {
    const frozen = body.freeze;
    await orRefuse(() => mover.freeze(frozen));
    return unmoved();
  }
  if (body.reset) {
    await orRefuse(() =>
      mover.reset(async (tx) => {
        await truncateDomain(tx);
        await announceAccessChange(tx, { what: 'everything' });
      }),
    );
    await deps.afterReset();
    return unmoved();
  }
  const move = await begin(ctx, mover, body, deps);
  move.done.catch((error: unknown) => ctx.log.error({ err: error }, 'the clock could not be moved'));
  const finished = await orRefuse(() =>
    Promise.race([
      move.done.then(() => true),
      move.begun.then(() => sleep(deps.waitMs, false, { ref: false })),
    ]),
  );
  const answer = { now: ctx.now().toISOString(), ran: move.ran };
  return finished ? answer : { ...answer, remaining: await mover.remaining().catch(() => 0) };
}

/** The scope that moves the clock is not enough for a reset, which empties the sandbox. */
export async function requireAdminToReset({ body, operator }: FastifyRequest): Promise<void> {
  const { reset } = body as Static<typeof MoveBody>;
  if (reset === true && !hasScope(operator, 'admin')) refuse(scopeMissing, { reason: 'admin is needed' });
}
