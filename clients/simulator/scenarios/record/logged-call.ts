import type { Answer } from '../../../sdk/index.ts';

export type LoggedCall = Answer<'GET /operator/v1/requests'>[number];

const SIGNING_IN: ReadonlySet<string | null> = new Set(['issueToken', 'logIn', 'logOut', 'resetPassword']);
/** Operations that affect more than an account, or need data that the log never has. */
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

/** The records of a feed; none if the log lacks some of them, or they were CloudEvents. */
function recordsOf({ request }: LoggedCall): readonly object[] {
  try {
    const records = recordsIn(request);
    return records.some((record) => 'specversion' in record) ? [] : records;
  } catch {
    return [];
  }
}

/** A call that becomes a step, with its body. */
export interface Chosen {
  readonly call: LoggedCall;
  /** Records of a feed. */
  readonly records?: readonly object[];
}

/** The reason why a call cannot be replayed; undefined if it can. Completes "Left out 2 calls: …". */
function reasonAgainst(call: LoggedCall): string | undefined {
  const { operation, status, caller, injected, request } = call;
  const sent = JSON.stringify(request ?? null);
  if (SIGNING_IN.has(operation)) return 'a scenario signs in and out automatically';
  const expired = injected !== null && injected['expireToken'] === true;
  if (expired || (status === 401 && caller?.kind !== 'user'))
    return 'they had no session, and a scenario signs in automatically';
  if (BEYOND.has(operation) || (operation === 'operatorMoveClock' && /"reset":true/.test(sent)))
    return 'they change more than an account, or create secrets';
  if (injected === null && (status === null || BUSY.has(status)))
    return 'they got no answer, or one that depends on the load of the service';
  if (isCut(request)) return 'the log has their bodies only up to 16 KiB';
  if (request === null && status === 400 && call.method !== 'GET') return 'their bodies were not JSON';
  if (sent.includes('[withheld]')) return 'the log has no positions';
  return /\$\{/.test(sent + call.path) ? 'they contain text that a scenario would replace' : undefined;
}

/** Keeps the order. Counts the calls left out by reason. */
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
