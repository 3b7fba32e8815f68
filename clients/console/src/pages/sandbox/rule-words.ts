import type { FaultRule } from '../../api/sandbox.ts';
import { formatNumber, formatPercent } from '../../text/format.ts';

function sayThen({ status, body, delayMs = 0, drop, expireToken }: FaultRule['then']): string {
  const parts = [
    ...(delayMs > 0 ? [`waits ${formatNumber(delayMs)} ms`] : []),
    ...(status === undefined ? [] : [`answers ${status}${body === undefined ? '' : ' with your body'}`]),
    ...(drop === 'before' ? ['cuts the connection before processing the call'] : []),
    ...(drop === 'after' ? ['processes the call and cuts the connection before the answer'] : []),
    ...(expireToken === true ? ['lets the token expire'] : []),
  ];
  return parts.join(', then ');
}

function sayMatch({ operation, path, accountName, probability }: NonNullable<FaultRule['match']>): string {
  const what = operation ?? path ?? 'every call of applications';
  const whose = accountName === undefined ? '' : ` of ${accountName}`;
  const often = probability === undefined ? '' : `, in ${formatPercent(probability, 1)} of cases`;
  return `${what}${whose}${often}`;
}

const times = (n: number): string => (n === 1 ? 'once' : `${formatNumber(n)} times`);

/** "listPlans of 0000700001-00001: answers 503; twice, after 3 that pass". */
export function sayRule({ match = {}, after = 0, times: most, then }: FaultRule): string {
  const limit = [
    ...(most === undefined ? [] : [times(most)]),
    ...(after === 0 ? [] : [`after ${formatNumber(after)} that pass`]),
  ];
  return `${sayMatch(match)}: ${sayThen(then)}${limit.length === 0 ? '' : `; ${limit.join(', ')}`}`;
}
