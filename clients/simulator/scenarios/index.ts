import { deadListener } from './dead-listener.ts';
import { monthEnd } from './month-end.ts';
import { offlineFleet } from './offline-fleet.ts';
import { overage } from './overage.ts';
import type { Scenario } from './scenario.ts';

export { type Played, playScenario } from './play-scenario.ts';
export type { Check, Scenario } from './scenario.ts';
export const SCENARIOS: readonly Scenario[] = [overage, deadListener, monthEnd, offlineFleet];
