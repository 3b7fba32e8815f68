import { formatNumber } from './format.ts';

/** What a firing does in one account. */
interface Action {
  readonly kind: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly deviceCount: number;
  readonly accountName: string;
}

export const countOf = (count: number, one: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : `${one}s`}`;

/** How long a suspension lasts, as a trigger says it. */
export const durationWords = (duration: unknown): string =>
  duration === 'NextBillCycle' ? 'until the next billing month' : `for ${duration} days`;

/** What happens to the lines, as the rest of a sentence: who or what they are comes before. */
function manner({ kind, params }: Pick<Action, 'kind' | 'params'>): string {
  if (kind === 'suspend')
    return `${durationWords(params['duration'])}, ${params['withBilling'] === true ? 'billed' : 'not billed'} meanwhile`;
  const from = Array.isArray(params['planCodes']) ? ` from ${params['planCodes'].join(' or ')}` : '';
  return `${from} to ${params['toPlan']}${params['effective'] === 'BackDate' ? ', backdated' : ''}`.trim();
}

/** In a sentence without its full stop. */
export function actionWords(action: Action): string {
  const { kind, deviceCount, accountName } = action;
  const whom = `${countOf(deviceCount, 'line')} of account ${accountName}`;
  return `${kind === 'suspend' ? 'Suspends' : 'Changes the plan of'} ${whom} ${manner(action)}`;
}
