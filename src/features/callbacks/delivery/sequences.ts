import type { DueMessage } from './lane.ts';

/** A later attempt goes by its time alone: nobody waits for it, and it waits for nobody. */
const keyOf = ({ orderKey, attemptsMade }: DueMessage) => (attemptsMade === 0 ? orderKey : null);

/**
 * Of the messages of a lane that have a key in common one is in its first attempt at a time, in the order in which they
 * came. Only those with a key are ever looked up.
 */
export class Sequences {
  /** By the keys that have an attempt under way: who waits for it. */
  readonly #followers = new Map<string, DueMessage[]>();
  #held = 0;

  /** How many wait for one before them. */
  get held(): number {
    return this.#held;
  }

  /** Who waits for one before them. */
  waiting(): DueMessage[] {
    return [...this.#followers.values()].flat();
  }

  /** Whether the message may start; otherwise it is kept until the one before it has ended. */
  enter(message: DueMessage): boolean {
    const key = keyOf(message);
    if (key === null) return true;
    const followers = this.#followers.get(key);
    if (followers === undefined) {
      this.#followers.set(key, []);
      return true;
    }
    followers.push(message);
    this.#held++;
    return false;
  }

  /** The attempt has ended, or was not made: answers those that waited for it, in their order. */
  leave(message: DueMessage): readonly DueMessage[] {
    const key = keyOf(message);
    if (key === null) return [];
    const followers = this.#followers.get(key) ?? [];
    this.#followers.delete(key);
    this.#held -= followers.length;
    return followers;
  }

  /** Nobody waits any more; what is under way still ends. */
  forget(): void {
    for (const followers of this.#followers.values()) followers.length = 0;
    this.#held = 0;
  }
}
