import { setTimeout as sleep } from 'node:timers/promises';
import type { Loop } from '../health/health.ts';
import { forEachIsolated } from '../health/isolate-failures.ts';

/** Real time, by the database. Renewed every second; what a dead worker held is free again within it. */
export const LEASE_MS = 4_000;
const RENEW_MS = 1_000;
/** Something is begun only while at least this much of the lease remains. */
const MARGIN_MS = 2_000;
/** A lane is locked for as long as its results are written, again and again on a busy one: soon it is free for a moment. */
const [TRIES_MAX, AGAIN_MS] = [8, 75];

/** Counted from when the lease was asked for: it may have begun that early. */
export class LeaseTime {
  #safeUntilMs: number;

  constructor(askedAtMs: number) {
    this.#safeUntilMs = askedAtMs + LEASE_MS - MARGIN_MS;
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

export interface HeldLanes<Lane extends { readonly ecpdId: string }, H extends Holder<Lane>> {
  readonly held: Iterable<H>;
  readonly keyOf: (lane: Lane) => string;
  /** Of one profile; answers those that are still ours, and which of them could not be renewed this time. */
  readonly renew: (
    ecpdId: string,
    lanes: readonly H['lane'][],
  ) => Promise<readonly (Lane & { readonly renewed?: boolean })[]>;
  /** Called when the lane of a holder is another's. */
  readonly onLost: (holder: H) => void;
  readonly onError: (error: unknown) => void;
  /** Hears of each profile that was renewed. */
  readonly loop: Pick<Loop, 'passed'>;
}

export async function renewLanes<Lane extends { readonly ecpdId: string }, H extends Holder<Lane>>({
  held,
  keyOf,
  renew,
  onLost,
  onError,
  loop,
}: HeldLanes<Lane, H>): Promise<void> {
  let left = [...held];
  for (let tries = 0; left.length > 0 && tries < TRIES_MAX; tries++) {
    if (tries > 0) await sleep(AGAIN_MS);
    const locked: H[] = [];
    const renewProfile = async ([ecpdId, holders]: [string, H[]]) => {
      const askedAtMs = performance.now();
      const lanes = holders.map(({ lane }) => lane);
      const ours = new Map((await renew(ecpdId, lanes)).map((lane) => [keyOf(lane), lane]));
      for (const holder of holders) {
        const still = ours.get(keyOf(holder.lane));
        if (still === undefined) onLost(holder);
        else if (still.renewed === false) locked.push(holder);
        else holder.renewed(askedAtMs);
      }
      return ours.size;
    };
    await forEachIsolated(
      Map.groupBy(left, ({ lane }) => lane.ecpdId),
      renewProfile,
      onError,
      loop,
    );
    left = locked;
  }
}

/** Renews again and again for as long as anything is held. */
export interface Renewals {
  /** Something is held from now on. */
  begin(): void;
  /** Renews no more: what is still held is left to its lease. */
  stop(): void;
}

export interface RenewalOptions {
  readonly isHolding: () => boolean;
  readonly turn: () => Promise<void>;
  /** Hears how each turn ends; rests while nothing is held. */
  readonly loop: Loop;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
}

export function createRenewals({
  isHolding,
  turn,
  loop,
  onError,
  everyMs = RENEW_MS,
}: RenewalOptions): Renewals {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const renewLater = (): void => {
    timer = setTimeout(async () => {
      await turn().then(loop.passed, (error: unknown) => {
        loop.failed(error);
        onError(error);
      });
      timer = undefined;
      if (!isHolding()) loop.rest();
      else if (!stopped) renewLater();
    }, everyMs);
  };

  return {
    begin() {
      if (stopped || timer !== undefined) return;
      loop.begin();
      renewLater();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      loop.rest();
    },
  };
}
