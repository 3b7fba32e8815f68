import type { Firing } from '../firings/index.ts';
import type { ServiceChange } from '../usage/index.ts';
import type { UsageTrigger } from './usage-trigger.ts';

/** A firing with what people are told about it. */
export interface UsageFiring extends Firing {
  readonly trigger: UsageTrigger;
  readonly change: ServiceChange;
  readonly allowed: number;
  /** Whether the service closes when all of it is used. */
  readonly closes: boolean;
}
