import { type Answer, type Caller, list, type OperatorRoute } from '../../../sdk/index.ts';

const PAGE = 1_000;
const ROWS_MAX = 1_000;

type Call = Answer<'GET /operator/v1/requests'>[number];

export interface Span {
  readonly since?: string | undefined;
  /** Ids of the first and the last call. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Oldest first. If the list has only the first effects of a call, reads all of them. */
export async function readCalls(
  operator: Caller<OperatorRoute>,
  { since, from = '', to }: Span,
): Promise<Call[]> {
  const found: Call[] = [];
  for await (const call of list(operator, 'GET /operator/v1/requests', { query: { since, limit: PAGE } })) {
    if (call.id < from) break;
    if (to !== undefined && call.id > to) continue;
    const { id } = call;
    found.push(
      call.caused.more ? await operator.call('GET /operator/v1/requests/{id}', { path: { id } }) : call,
    );
  }
  return found.reverse();
}

/** The account's firings and callbacks since then. */
export async function readOutcome(operator: Caller<OperatorRoute>, accountName: string, since: string) {
  const query = { accountName, limit: ROWS_MAX };
  const firings = await operator.call('GET /operator/v1/firings', { query });
  const callbacks = await operator.call('GET /operator/v1/callbacks', { query });
  const isSome = ({ length }: readonly unknown[]) => length < ROWS_MAX;
  return {
    firings: isSome(firings) ? firings.filter(({ firedAt }) => firedAt >= since) : [],
    callbacks: isSome(callbacks) ? callbacks.filter(({ createdAt }) => createdAt >= since) : [],
  };
}
