import { setTimeout as sleep } from 'node:timers/promises';
import type { Loop } from '../health/health.ts';
import { forEachIsolated } from '../health/isolate-failures.ts';

/** Database real time. A lease is renewed every second; lanes of a dead worker become free within this time. */
export const LEASE_MS = 4_000;
export const RENEW_MS = 1_000;
/** Work starts only while at least this much of the lease remains. */
const MARGIN_MS = 2_000;
/** Writing results locks a lane, often on a busy one. It is unlocked between writes, so a retry succeeds soon. */
const [TRIES_MAX, AGAIN_MS] = [8, 75];

/** Measured from the request for the lease, because the lease may have begun that early. */
export class LeaseTime {
  #safeUntilMs = 0;

  constructor(askedAtMs: number) {
    this.renewed(askedAtMs);
  }

  renewed(askedAtMs: number): void {
    this.#safeUntilMs = askedAtMs + LEASE_MS - MARGIN_MS;
  }

  get isSafe(): boolean {
    return performance.now() < this.#safeUntilMs;
  }
}

interface Holder<Lane> {
  readonly lane: Lane;
  renewed(askedAtMs: number): void;
}

/** A lane that this worker still holds. `renewed` is false if it could not be renewed this time. */
export type Renewed<Lane> = Lane & { readonly renewed?: boolean };

interface HeldLanes<Lane extends { readonly ecpdId: string }, H extends Holder<Lane>> {
  readonly held: Iterable<H>;
  readonly keyOf: (lane: Lane) => string;
  /** Renews lanes of one profile; returns those that this process still holds. */
  readonly renew: (ecpdId: string, lanes: readonly H['lane'][]) => Promise<readonly Renewed<Lane>[]>;
  /** Called when another worker holds the lane. */
  readonly onLost: (holder: H) => void;
  readonly onError: (error: unknown) => void;
  /** Receives a success for each renewed profile. */
  readonly loop: Pick<Loop, 'passed'>;
}

export async function renewLanes<Lane extends { readonly ecpdId: string }, H extends Holder<Lane>>(
  lanes: HeldLanes<Lane, H>,
): Promise<void> {
  const { held, keyOf, renew, onLost, onError, loop } = lanes;
  let left = [...held];
  for (let tries = 0; left.length > 0 && tries < TRIES_MAX; tries++) {
    if (tries > 0) await sleep(AGAIN_MS);
    const locked: H[] = [];
    const renewProfile = async ([ecpdId, holders]: [string, H[]]) => {
      const askedAtMs = performance.now();
      const renewed = await renew(
        ecpdId,
        holders.map(({ lane }) => lane),
      );
      const ours = new Map(renewed.map((lane) => [keyOf(lane), lane]));
      for (const holder of holders) {
        const still = ours.get(keyOf(holder.lane));
        if (still === undefined) onLost(holder);
        else if (still.renewed === false) locked.push(holder);
        else holder.renewed(askedAtMs);
      }
      return ours.size;
    };
    const byProfile = Map.groupBy(left, ({ lane }) => lane.ecpdId);
    await forEachIsolated(byProfile, renewProfile, onError, loop);
    left = locked;
  }
}
