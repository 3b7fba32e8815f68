import type { Row } from '../outcome.ts';

/** Everything that is compared. Lists are bags, because their order is not promised. */
export interface Outcome {
  /** Answers of locations, requests, cancellations, re-sends and feeds. */
  answers: Row[];
  /** The lines that the network was asked for in each hour. */
  asked: Row[];
  /** What arrived at the listeners, attempt by attempt. */
  heard: Row[];
  /** Every report after every step, entry by entry. */
  pages: Row[];
  /** The delivery log of every account after every step. */
  deliveries: Row[];
  /** At the end: exclusion lists, levels, the last positions of lines. */
  settings: Row[];
  /** At the end: located positions, and usage by account, IMEI and label. */
  bills: Row[];
}

export const nothing = (): Outcome => ({
  ...{ answers: [], asked: [], heard: [], pages: [], deliveries: [], settings: [], bills: [] },
});
