/** A sender without an answer repeats its packet within this time. */
const KEPT_MS = 30_000;
/** After this many new packets, older ones are dropped. */
const NEWER_MAX = 25_000;

/** The answer, or undefined while there is none. */
type Answers = Map<string, Buffer | undefined>;

/**
 * Recent packets, by sender, identifier and authenticator, so that a repeated one is not processed again. They are dropped in
 * halves: finding the oldest entry of a map that deletes its oldest again and again is slow.
 */
export function rememberPackets(nowMs: () => number = () => performance.now()) {
  let newer: Answers = new Map();
  let older: Answers = new Map();
  let sinceMs = nowMs();

  function forgetOld(): void {
    if (nowMs() - sinceMs < KEPT_MS && newer.size < NEWER_MAX) return;
    [older, newer] = [newer, new Map()];
    sinceMs = nowMs();
  }
  const holderOf = (key: string) => [newer, older].find((answers) => answers.has(key));

  return {
    /** Returns `new` for a packet to process; otherwise its answer, or undefined while there is none. */
    see(key: string): 'new' | Buffer | undefined {
      forgetOld();
      const known = holderOf(key);
      if (known !== undefined) return known.get(key);
      newer.set(key, undefined);
      return 'new';
    },
    answered(key: string, answer: Buffer): void {
      holderOf(key)?.set(key, answer);
    },
    /** The packet was not processed, so a repeated one will be. */
    forget: (key: string): void => void holderOf(key)?.delete(key),
  };
}
