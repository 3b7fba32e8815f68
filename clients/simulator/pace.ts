const STEP_MS = 1_000;

/**
 * Runs the sandbox's time `speed` times as fast by reporting every second how much it is behind. The service
 * ignores reports during other moves of the clock, and does not catch up on them.
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
