export { nextCycleEnd } from './closings/next-cycle-end.ts';
export { cyclesOf, evaluateMovedUsage, evaluateUsage } from './evaluate-usage.ts';
export { applyFirings } from './fire-triggers.ts';
export {
  keepLevels,
  refreshLevelsLater,
} from './levels/refresh-levels.ts';
