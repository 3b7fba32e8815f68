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
  /** Absent where the clock is real: in production. */
  readonly mover: ClockMover | undefined;
  readonly countOtherNodes: () => Promise<number>;
  /** Only a process that also works what is due can move the clock. */
  readonly worksAll: boolean;
  readonly waitMs: number;
  /** The living fleet, where there is one. */
  readonly life: Pick<Simulator, 'standStill'> | undefined;
  /** Puts back what a reset took and a running service needs. */
  readonly afterReset: () => Promise<void>;
}

/** Why the clock cannot be moved where other processes are up. */
export const MOVED_ALONE = 'it moves only with one process, of role all';

const FURTHEST: Duration = { months: 10 * 12, ms: 0 };

async function moverOrRefuse({ mover, worksAll, countOtherNodes }: ClockDeps): Promise<ClockMover> {
  const reason = mover === undefined ? 'it is real outside the sandbox' : MOVED_ALONE;
  if (mover === undefined || !worksAll || (await countOtherNodes()) > 0)
    return refuse(operatorFaults.clockFixed, { reason });
  return mover;
}

/** Two at once contradict each other, and one of them may be to lose everything. */
function refuseUnlessOne({ advance, set, freeze, reset }: Static<typeof MoveBody>): void {
  const given = [advance, set, freeze, reset || undefined].filter((value) => value !== undefined);
  if (given.length !== 1)
    refuse(operatorFaults.badTime, { reason: 'give one of advance, set, freeze and reset' });
}

function targetOf(now: Date, { advance, set = '' }: { advance?: string; set?: string }): Date {
  const reason = 'advance is no ISO 8601 duration';
  const to =
    advance === undefined
      ? parseTime('set', set)
      : addDuration(now, parseDuration(advance) ?? refuse(operatorFaults.badTime, { reason }));
  if (to < now) return refuse(operatorFaults.clockBackwards);
  // Beyond what a date can hold a duration leads to no time at all, which is not within either.
  return to <= addDuration(now, FURTHEST) ? to : refuse(operatorFaults.clockTooFar);
}

export const WireClock = Type.Object({
  now: Type.String(),
  offsetMs: Type.Integer(),
  frozen: Type.Boolean(),
  movingFrom: Type.Optional(Type.String({ description: 'Where the move that is under way began' })),
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
    Type.Boolean({ description: 'False with advance and set: the simulated devices stand still meanwhile' }),
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
  // Without a count the rest still holds.
  const remaining = await mover.remaining().catch(() => undefined);
  const { from, to, ran } = move;
  const moving = { movingFrom: from.toISOString(), movingTo: to.toISOString(), ran };
  return { ...now, ...moving, ...(remaining !== undefined && { remaining }) };
}

/** What the mover throws, as refusals. */
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
    // Only of a move that is under way: one that is refused lets nobody stand still.
    if (body.life === false) await life?.standStill(to);
    return move;
  });

/** Answers what remains when the work on the way takes longer than a caller waits. */
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

/** Whoever may move the clock may not for that reason lose everything: a reset empties the sandbox. */
export async function requireAdminToReset({ body, operator }: FastifyRequest): Promise<void> {
  const { reset } = body as Static<typeof MoveBody>;
  if (reset === true && !hasScope(operator, 'admin')) refuse(scopeMissing, { reason: 'admin is needed' });
}
