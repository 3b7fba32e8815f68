import { refusalOf } from '../../../api/client.ts';
import type { TriggerOptions } from '../../../api/triggers.ts';
import type { Draft } from './draft.ts';

/** What the parts of the form share. */
export interface TriggerForm {
  readonly draft: Draft;
  readonly set: (change: Partial<Draft>) => void;
  /** What the service says of the field at this path of the body. */
  readonly problemAt: (path: string) => string | undefined;
  readonly options: TriggerOptions | undefined;
}

const FIELD = /^([A-Za-z]+(?:\.\w+)*) (.+)$/s;

/** The service begins its reason with the path of the field at fault. */
export function problemFinder(error: unknown): TriggerForm['problemAt'] {
  const [, path, text] = FIELD.exec(refusalOf(error)?.detail ?? '') ?? [];
  return (asked) => (path !== undefined && path === asked ? `This ${text}` : undefined);
}

export const PAYG = 'pricePlanTrigger.payAsYouGo';
export const SHARE = 'pricePlanTrigger.accountGroupShare';
export const PLAN_LIST = 'trigger-plans';

export const choices = (...pairs: readonly (readonly [value: string, label: string])[]) =>
  pairs.map(([value, label]) => ({ value, label }));
export const UNITS = choices(['KB', 'KB'], ['MB', 'MB'], ['GB', 'GB'], ['TB', 'TB']);
