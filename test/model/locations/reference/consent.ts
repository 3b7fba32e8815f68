import type { Accuracy, Level } from '../case.ts';
import type { Account, Entry, Held, Life, Request, State } from './state.ts';

export const CONSENT = 'SVC CONSENT CHECK FAILED';
export const NOT_ALLOWED = 'POSITIONING NOT ALLOWED';

const ALLOWING: Readonly<Record<Accuracy, readonly Level[]>> = { coarse: [0, 2], precise: [0, 1] };
export const allows = (level: Level, accuracy: Accuracy): boolean => ALLOWING[accuracy].includes(level);

export const isListed = ({ list }: Account, { line, imei, device }: Life): boolean =>
  list.some((entry) => (entry.line === line && entry.nth === imei) || entry.devices.has(device));

export type Verdict = 'shown' | 'excluded' | 'denied' | 'lost';

/** Whether the account may show positions of the line now. */
export function judge(account: Account, life: Life, accuracy: Accuracy): Verdict {
  const isOwner = life.owner === account.nr;
  if (!isOwner && life.pasts.get(account.nr)?.[accuracy] !== true) return 'lost';
  if (account.excludesAll || (isOwner && isListed(account, life))) return 'excluded';
  return isDenied(account, life, accuracy) ? 'denied' : 'shown';
}

/** By the level of the line or, after it left, of its account. */
export const isDenied = (account: Account, life: Life, accuracy: Accuracy): boolean =>
  !allows((life.owner === account.nr ? account.own.get(life.device) : undefined) ?? account.level, accuracy);

/** How a reader of the account sees what an entry or a callback holds. Undefined: nothing is known yet. */
export function show(
  { accounts }: State,
  request: Request,
  { life, wasDenied }: Entry,
  held: Held | undefined,
): string | undefined {
  const verdict = judge(accounts[request.account]!, life, request.accuracy);
  if (verdict === 'shown' || (verdict === 'lost' && held?.isPosition !== true)) return held?.text;
  return verdict === 'denied' && wasDenied ? NOT_ALLOWED : CONSENT;
}

/** A denial by the present owner is lasting for all earlier ones. */
export function withdrawFromEarlier({ accounts, lives }: State): void {
  for (const life of lives)
    if (life.owner !== undefined)
      for (const accuracy of ['coarse', 'precise'] as const)
        if (judge(accounts[life.owner]!, life, accuracy) !== 'shown')
          for (const [account, past] of life.pasts) if (account !== life.owner) past[accuracy] = false;
}
