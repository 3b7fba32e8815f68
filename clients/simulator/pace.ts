const STEP_MS = 1_000;

/**
 * Lets the sandbox's time run `speed` times as fast: says every second by how much it is behind. Who moves the clock
 * leaves out what comes while it is moved otherwise; nothing is made up for.
 */
export function createPace(onBehind: (behindMs: number) => void) {
  let speed = 1;
  let timer: NodeJS.Timeout | undefined;
  let beforeMs = 0;

  const step = () => {
    const nowMs = performance.now();
    onBehind(Math.round((speed - 1) * Math.min(nowMs - beforeMs, 2 * STEP_MS)));
    beforeMs = nowMs;
  };

  return {
    speed: () => speed,
    set(wanted: number): void {
      speed = wanted;
      if (speed <= 1) {
        clearInterval(timer);
        timer = undefined;
      } else if (timer === undefined) {
        beforeMs = performance.now();
        timer = setInterval(step, STEP_MS);
      }
    },
  };
}
