import { defineFaults } from '../../platform/context/fault.ts';

export const backtestFaults = defineFaults({
  /** The reason says what is wrong with it. */
  invalidPeriod: { status: 400, code: 'invalid_period', message: 'The period cannot be looked at' },
});
