import { defineFaults, fault } from '../../platform/context/fault.ts';

export const backtestFaults = defineFaults({
  /** The reason says what is wrong with the period. */
  invalidPeriod: fault(400, 'invalid_period', 'The period cannot be evaluated'),
});
