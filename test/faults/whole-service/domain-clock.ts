import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, OutsideClient } from './outside-client.ts';

interface Span {
  /** In real time; each span lasts until the next begins. */
  readonly from: number;
  readonly leastMs: number;
  readonly mostMs: number;
}

export interface DomainClock {
  /** Moves domain time to this moment. An accepted move completes, however often its process is killed during it. */
  moveTo(at: Date): Promise<void>;
  now(): Promise<Date>;
  /** The most domain time that can have passed between two moments of real time. */
  passedAtMost(from: number, to: number): number;
}

const MOVING_MS = 300;
/** Tolerance between two readings of clocks that agree. */
const SLACK_MS = 250;
/** Enough for a busy machine and for listeners that do not answer. */
const MOVE_MAX_MS = 180_000;
const CLOCK = '/operator/v1/clock';

/** Observes the movable clock from outside, and knows the limits of its value at any moment. */
export function watchClock(client: Pick<OutsideClient, 'operator' | 'tryOperator'>): DomainClock {
  const spans: Span[] = [{ from: 0, leastMs: 0, mostMs: 0 }];
  let latest = 0;
  const read = async () => {
    const asked = Date.now();
    const { json } = await client.operator({ method: 'GET', path: CLOCK });
    const now = Date.parse(json.now);
    assert.ok(now >= latest, `domain time went back to ${json.now}`);
    const behindMs = asked + spans.at(-1)!.leastMs - now;
    assert.ok(behindMs < SLACK_MS, `domain time fell ${behindMs} ms behind real time and the offset it had`);
    latest = now;
    return { now, offsetMs: json.offsetMs as number, isMoving: json.movingTo !== undefined };
  };
  const spanAt = (real: number) => spans.findLast(({ from }) => from <= real)!;
  return {
    now: async () => new Date((await read()).now),
    passedAtMost: (from, to) => to + spanAt(to).mostMs - (from + spanAt(from).leastMs),
    async moveTo(at) {
      const before = spans.at(-1)!;
      // More than the final offset, because real time passes during the move.
      const mostMs = Math.max(before.mostMs, at.getTime() - Date.now());
      spans.push({ from: Date.now(), leastMs: before.leastMs, mostMs });
      const giveUpAt = Date.now() + MOVE_MAX_MS;
      for (let isTaken = false; ; ) {
        const { now, offsetMs, isMoving } = await read();
        if (!isMoving && now >= at.getTime()) {
          spans.push({ from: Date.now(), leastMs: offsetMs, mostMs: offsetMs });
          return;
        }
        isTaken ||= isMoving;
        assert.ok(
          isMoving || !isTaken,
          `a move to ${at.toISOString()} was left at ${new Date(now).toISOString()}`,
        );
        assert.ok(Date.now() < giveUpAt, `a move to ${at.toISOString()} does not come to its end`);
        // The service refuses a move while it still counts killed processes as running.
        const body = { set: at.toISOString() };
        const answer: Answer | undefined = isTaken
          ? undefined
          : await client.tryOperator({ method: 'POST', path: CLOCK, body });
        isTaken ||= answer !== undefined && answer.status < 300;
        await sleep(MOVING_MS);
      }
    },
  };
}
