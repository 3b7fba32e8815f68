import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, OutsideClient } from './outside-client.ts';

interface Span {
  /** Of the real clock; each span lasts until the next begins. */
  readonly from: number;
  readonly leastMs: number;
  readonly mostMs: number;
}

export interface DomainClock {
  /** Moves domain time there. Once a move was taken it comes to its end, however often its process is killed on the way. */
  moveTo(at: Date): Promise<void>;
  now(): Promise<Date>;
  /** How much domain time can have passed between two moments of the real clock, at most. */
  passedAtMost(from: number, to: number): number;
}

const MOVING_MS = 300;
/** Between two looks at clocks that agree. */
const SLACK_MS = 250;
/** However busy the machine is, and whoever does not answer. */
const MOVE_MAX_MS = 180_000;
const CLOCK = '/operator/v1/clock';

/** The movable clock as it is seen from outside, with what it can have been at any moment. */
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
      // More than it will be: real time goes on while it moves.
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
        // Refused as long as processes that were killed count as being there.
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
