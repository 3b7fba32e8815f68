import type { Session } from '../api/session.ts';

const KEY = 'linekeeper.account';

/** Identifies the viewer, so that the next person at the same browser does not inherit the last account. */
export const viewerOf = ({ kind, name }: Session): string => `${kind} ${name}`;

export function rememberAccount(session: Session, accountName: string): void {
  sessionStorage.setItem(KEY, JSON.stringify([viewerOf(session), accountName]));
}

export function recallAccount(session: Session): string | undefined {
  try {
    const [viewer, accountName] = JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as unknown[];
    return viewer === viewerOf(session) && typeof accountName === 'string' ? accountName : undefined;
  } catch {
    return undefined;
  }
}

export const forgetAccount = (): void => sessionStorage.removeItem(KEY);
