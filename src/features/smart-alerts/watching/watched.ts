import type { EvaluableRule, Values, WatchedRule } from '../../device-management/index.ts';
import type { Cause, Turn, Watch } from './watch.ts';

/** What is kept of a rule between readings. */
export interface RuleState {
  readonly ruleId: string;
  readonly deviceId: string;
  readonly versionId: string;
  /** Since when this version is looked at. */
  readonly sinceMs: number;
  readonly watch: Watch;
  readonly alertId: string | undefined;
  /** Not after what is really due: readings that only put off an absence do not write it. */
  readonly dueMs: number | undefined;
}

/** A rule with its state, while its device is held. */
export interface Watched {
  readonly rule: WatchedRule;
  readonly read: EvaluableRule;
  /** As it is stored, of this version. */
  readonly stored: RuleState | undefined;
  /** What is stored belongs to an earlier version, and is to be written over. */
  readonly outdated: boolean;
  readonly sinceMs: number;
  watch: Watch;
  alertId: string | undefined;
}

/** Something that listeners hear and the record of the alert shows. */
export interface AlertEvent {
  readonly to: Turn['to'];
  readonly alertId: string;
  readonly ruleId: string;
  readonly ruleName: string;
  readonly deviceId: string;
  readonly accountName: string;
  readonly foreignId: string;
  readonly cause: Cause;
  readonly atMs: number;
  /** Of a raised alert its message, of a cleared one why it was cleared. */
  readonly message: string;
  readonly reading: Values;
}

export const CLEARED = {
  condition: 'the condition holds no longer',
  absence: 'the device has sent a reading',
  changed: 'the rule was changed',
  disabled: 'the rule was disabled',
  inert: 'the rule is no longer evaluated',
  ruleDeleted: 'the rule was deleted',
  deviceDeleted: 'the device was deleted',
  deviceMoved: 'the device has left the account',
} as const;

export const messageOf = ({ rule, read }: Watched, cause: Cause, quietSinceMs: number): string =>
  read.message ??
  (cause === 'condition'
    ? `${rule.name}: the condition is met`
    : `${rule.name}: no reading since ${new Date(quietSinceMs).toISOString()}`);
