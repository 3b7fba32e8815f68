import { formatNumber } from './format.ts';

/** The action of a firing in one account. */
interface Action {
  readonly kind: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly deviceCount: number;
  readonly accountName: string;
}

export const countOf = (count: number, one: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : `${one}s`}`;

/** The length of a suspension, from a trigger's value. */
export const durationWords = (duration: unknown): string =>
  duration === 'NextBillCycle' ? 'until the next billing month' : `for ${duration} days`;

/** Describes the action as the end of a sentence that begins with the lines. */
function manner({ kind, params }: Pick<Action, 'kind' | 'params'>): string {
  if (kind === 'suspend')
    return `${durationWords(params['duration'])}, ${params['withBilling'] === true ? 'with' : 'without'} billing`;
  const from = Array.isArray(params['planCodes']) ? ` from ${params['planCodes'].join(' or ')}` : '';
  return `${from} to ${params['toPlan']}${params['effective'] === 'BackDate' ? ', backdated' : ''}`.trim();
}

/** A sentence without its full stop. */
export function actionWords(action: Action): string {
  const { kind, deviceCount, accountName } = action;
  const whom = `${countOf(deviceCount, 'line')} of account ${accountName}`;
  return `${kind === 'suspend' ? 'Suspends' : 'Changes the plan of'} ${whom} ${manner(action)}`;
}
