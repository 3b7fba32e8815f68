/** Whoever gets no answer sends the same packet again within this time. */
const KEPT_MS = 30_000;
/** Of those that came since the last time some were forgotten. */
const NEWER_MAX = 25_000;

/** The answer; undefined while there is none. */
type Answers = Map<string, Buffer | undefined>;

/**
 * Packets that came lately, by who sent them, their identifier and authenticator: one that comes again is not worked again. They are
 * forgotten all at once: to look for the oldest of a map that loses its oldest again and again is slow.
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
    /** `new` where it has to be worked; else its answer, or undefined while there is none. */
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
    /** It was not worked: the next one is. */
    forget: (key: string): void => void holderOf(key)?.delete(key),
  };
}
