import type { Caller, Client, OperatorRoute } from '../../sdk/index.ts';
import type { Listener } from './listener.ts';

/** One of the things a scenario looked at. */
export interface Check {
  readonly what: string;
  readonly ok: boolean;
}

/** Where a scenario plays: an account of its own, a clock, a listener. */
export interface Stage {
  readonly operator: Caller<OperatorRoute>;
  /** As a user of the scenario's account. */
  readonly client: Client;
  readonly listener: Listener;
  say(sentence: string): void;
  check(what: string, ok: boolean): void;
  advance(duration: string): Promise<Date>;
  now(): Promise<Date>;
  feed(records: readonly object[]): Promise<{ readonly accepted: number; readonly duplicates: number }>;
}

export interface Scenario {
  readonly name: string;
  readonly summary: string;
  /** It begins with this account deleted, and the document imported. */
  readonly accountName: string;
  fleet(listenerUrl: string, now: Date): object;
  play(stage: Stage): Promise<void>;
  /** Commands that show what has happened. */
  readonly lookAt: readonly string[];
}
