import { refusalOf } from '../../../api/client.ts';
import type { TriggerOptions } from '../../../api/triggers.ts';
import type { Draft } from './draft.ts';

/** State shared by the parts of the form. */
export interface TriggerForm {
  readonly draft: Draft;
  readonly set: (change: Partial<Draft>) => void;
  /** The service's problem with the field at this path of the body. */
  readonly problemAt: (path: string) => string | undefined;
  /** The same for a list field; a problem with an entry names its position. */
  readonly problemUnder: (path: string) => string | undefined;
  readonly options: TriggerOptions | undefined;
}

const FIELD = /^([A-Za-z]+(?:\.\w+)*) (.+)$/s;

/** The service's reason begins with the path of the invalid field. */
export function problemFinder(error: unknown): Pick<TriggerForm, 'problemAt' | 'problemUnder'> {
  const [, path, text] = FIELD.exec(refusalOf(error)?.detail ?? '') ?? [];
  const problemAt = (asked: string) => (path === asked ? `This ${text}` : undefined);
  const problemUnder = (asked: string) => {
    const [nth, ...field] = path?.startsWith(`${asked}.`) ? path.slice(asked.length + 1).split('.') : [];
    return nth === undefined ? problemAt(asked) : `Number ${Number(nth) + 1}: ${[...field, text].join(' ')}`;
  };
  return { problemAt, problemUnder };
}

export const PAYG = 'pricePlanTrigger.payAsYouGo';
export const SHARE = 'pricePlanTrigger.accountGroupShare';

export const choices = (...pairs: readonly (readonly [value: string, label: string])[]) =>
  pairs.map(([value, label]) => ({ value, label }));
export const UNITS = choices(['KB', 'KB'], ['MB', 'MB'], ['GB', 'GB'], ['TB', 'TB']);
