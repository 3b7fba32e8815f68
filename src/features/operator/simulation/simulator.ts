import type { Static } from 'typebox';
import type { SimulatorPatch, WireSimulator } from './schemas.ts';

export type SimulatorState = Static<typeof WireSimulator>;
export type SimulatorWish = Static<typeof SimulatorPatch>;

/** The fleet that lives by itself, where there is one. */
export interface Simulator {
  read(): SimulatorState;
  change(wish: SimulatorWish): Promise<SimulatorState>;
}
