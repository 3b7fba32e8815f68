import type {
  LineIds,
  LineOrder,
  LineTruth,
  NetworkElement,
  OrderOutcome,
} from '../../features/network/index.ts';
import { trueChance } from '../../platform/chance/chance.ts';
import { randomToken } from '../../platform/crypto/token.ts';
import { type Answer, createSignedPost, isRefusal, reasonOf, type SignedSettings } from './signed-post.ts';

const BATCH_MAX = 100;
const TRUTHS = ['active', 'suspended', 'gone', 'unknown'] as const;

function outcomeOf(answer: Answer): OrderOutcome {
  if ('failure' in answer) return { outcome: 'failed', reason: answer.failure };
  const { status } = answer;
  if (status === 202) return { outcome: 'later' };
  if (status >= 200 && status < 300) return { outcome: 'done' };
  return { outcome: isRefusal(status) ? 'refused' : 'failed', reason: reasonOf(answer) };
}

const idsOf = ({ imsi, msisdn, imei, iccid }: LineIds) => ({ imsi, msisdn, imei, iccid });

const HELD = ['msisdn', 'imei', 'iccid', 'plan'] as const;
/** Without control characters, some of which the database rejects. */
const TEXT = /^\P{Cc}{1,100}$/u;

/** A state alone, or an object with the state and what the system holds of the line. */
function toTruth(given: unknown): LineTruth {
  const members = (typeof given === 'object' ? given : { state: given }) as Record<string, unknown> | null;
  const state = TRUTHS.find((truth) => truth === members?.['state']);
  if (members === null || state === undefined) return undefined;
  const held = HELD.flatMap((name) => {
    const value = members[name];
    return value === null || (typeof value === 'string' && TEXT.test(value)) ? [[name, value]] : [];
  });
  return { state, ...Object.fromEntries(held) };
}

/** Works through a list, `atOnce` items at a time, and returns results in its order. */
async function inOrder<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let n = 0; n < items.length; n += atOnce)
    results.push(...(await Promise.all(items.slice(n, n + atOnce).map(work))));
  return results;
}

/**
 * An operator's own provisioning system: one POST for each order. 200 means done, 202 means confirmed later by a call to the
 * operator API, 4xx refuses the order, and after any other answer it is tried again. The contract is in
 * docs/provisioning.openapi.json.
 */
export function createHttpElement({
  name,
  ...settings
}: SignedSettings & { readonly name: string }): NetworkElement {
  const { post, atOnce, close } = createSignedPost(settings);
  const carryOne = async (order: LineOrder, signal: AbortSignal) => {
    const { orderId, sequence, accountName, wanted, plan } = order;
    const content = { orderId, sequence, accountName, ...idsOf(order), wanted, plan };
    return outcomeOf(await post('', orderId, content, signal));
  };
  return {
    name,
    kind: 'http',
    batchMax: BATCH_MAX,
    carryOut: (orders, signal) => inOrder(orders, atOnce, (order) => carryOne(order, signal)),
    async read(lines, signal) {
      const answer = await post('/states', randomToken(trueChance), { lines: lines.map(idsOf) }, signal);
      const states =
        'body' in answer && answer.status === 200 ? (answer.body as { states?: unknown })?.states : [];
      return lines.map((_, n) => (Array.isArray(states) ? toTruth(states[n]) : undefined));
    },
    close,
  };
}
