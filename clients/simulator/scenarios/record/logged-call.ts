import type { Answer } from '../../../sdk/index.ts';

export type LoggedCall = Answer<'GET /operator/v1/requests'>[number];

const SIGNING_IN: ReadonlySet<string | null> = new Set(['issueToken', 'logIn', 'logOut', 'resetPassword']);
/** What they do reaches further than an account, or needs what the log never has. */
const BEYOND: ReadonlySet<string | null> = new Set([
  ...['operatorImport', 'operatorDeleteAccount', 'operatorResetSandbox', 'operatorRecordRequests'],
  ...['operatorMakeSnapshot', 'operatorRestoreSnapshot', 'operatorDeleteSnapshot'],
  ...['operatorCreateKey', 'operatorDeleteKey'],
]);
const CUT = '…';
const BUSY: ReadonlySet<number | null> = new Set([429, 500, 502, 503, 504]);

const isFeed = ({ operation }: LoggedCall): boolean => operation?.startsWith('operatorFeed') ?? false;
const isCut = (body: unknown): boolean => typeof body === 'string' && body.endsWith(CUT);

function recordsIn(request: unknown): readonly object[] {
  if (typeof request !== 'string') return [request ?? []].flat() as object[];
  const lines = request.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => JSON.parse(line));
}

/** The records of a feed; none where the log has not all of them, or they came as CloudEvents. */
function recordsOf({ request }: LoggedCall): readonly object[] {
  try {
    const records = recordsIn(request);
    return records.some((record) => 'specversion' in record) ? [] : records;
  } catch {
    return [];
  }
}

/** A call that becomes a step, and what it sent. */
export interface Chosen {
  readonly call: LoggedCall;
  /** Of a feed. */
  readonly records?: readonly object[];
}

/** Why a call cannot be made again as it was; undefined where it can. Completes "Left out 2 calls: …". */
function reasonAgainst(call: LoggedCall): string | undefined {
  const { operation, status, caller, injected, request } = call;
  const sent = JSON.stringify(request ?? null);
  if (SIGNING_IN.has(operation)) return 'a scenario signs in and out by itself';
  const expired = injected !== null && injected['expireToken'] === true;
  if (expired || (status === 401 && caller?.kind !== 'user'))
    return 'nobody was signed in, and a scenario signs in by itself';
  if (BEYOND.has(operation) || (operation === 'operatorMoveClock' && /"reset":true/.test(sent)))
    return 'they change more than an account, or make secrets';
  if (injected === null && (status === null || BUSY.has(status)))
    return 'they got no answer, or one that depends on how busy the service is';
  if (isCut(request)) return 'the log has their bodies only up to 16 KiB';
  if (request === null && status === 400 && call.method !== 'GET') return 'their bodies were no JSON';
  if (sent.includes('[withheld]')) return 'the log has no positions';
  return /\$\{/.test(sent + call.path) ? 'they have a text that a scenario would fill in' : undefined;
}

/** In the order in which they came. What is left out is counted by its reason. */
export function chooseCalls(calls: readonly LoggedCall[], accountName: string) {
  const leftOut = new Map<string, number>();
  const chosen = calls.flatMap((call): Chosen[] => {
    if (call.accountName !== null && call.accountName !== accountName) return [];
    const records = isFeed(call) ? recordsOf(call) : undefined;
    const against =
      reasonAgainst(call) ?? (records?.length === 0 ? 'the log has no records of these feeds' : undefined);
    if (against === undefined) return [{ call, ...(records && { records }) }];
    leftOut.set(against, (leftOut.get(against) ?? 0) + 1);
    return [];
  });
  return { chosen, leftOut };
}
