export type { LineIds, LineOrder, LineTruth, NetworkElement, OrderOutcome } from './port.ts';
