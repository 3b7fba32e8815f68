export { runBacktest } from './backtest/backtest.ts';
export { moveClosings } from './closings/schedule.ts';
export { cyclesOf, evaluateMovedUsage, evaluateUsage } from './evaluate-usage.ts';
export { applyFirings } from './fire-triggers.ts';
export {
  keepLevels,
  refreshGroupLevels,
  refreshLevelsLater,
  refreshPlanLevels,
} from './levels/refresh-levels.ts';
export { BacktestBody, WireBacktest } from './schemas.ts';
