export type { LineIds, LineOrder, LineTruth, NetworkElement, OrderOutcome, WantedState } from './port.ts';
