import type { AccountName, EcpdId } from '../../kernel/account-name.ts';
import { RecentMap } from '../../kernel/recent-map.ts';
import type { Principal } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import type { NotificationFeed } from '../../platform/db/listen.ts';
import { type Loop, unreportedLoop } from '../../platform/health/health.ts';
import { ACCESS_CHANNEL, type AccessChange, announceAccessChange } from './access-changes.ts';
import { SESSION_IDLE_MS, USE_RECORDED_MS } from './limits.ts';
import { findToken } from './sql-client.ts';
import { findSession, recordUses, setLastUse } from './sql-user.ts';

/** An evicted entry costs one read. */
const ENTRIES_MAX = 200_000;
/** Limit per statement. If more sessions were used in half a minute, several statements write them. */
const USES_PER_STATEMENT = 5_000;

interface LiveSession {
  readonly principal: Principal;
  lastUsedMs: number;
}

type SessionCheck = { readonly principal: Principal } | 'expired' | 'invalid';

/** Checks access from memory. The database is queried once per token, and whenever the cache may be stale. */
export interface LiveAccess {
  /** The client of a bearer token; undefined if the token is unknown, revoked or expired. */
  client(tokenHash: string, nowMs: number): string | undefined | Promise<string | undefined>;
  session(tokenHash: string, nowMs: number): SessionCheck | Promise<SessionCheck>;
  /** Expires the session as if it had been idle for too long. */
  expireSession(tokenHash: string, nowMs: number): Promise<void>;
  /** Writes the uses since the last write. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export function createLiveAccess(
  db: Db,
  feed: NotificationFeed,
  onError: (error: unknown) => void,
  loop: Loop = unreportedLoop,
): LiveAccess {
  const tokens = new RecentMap<string, { clientId: string; expiresMs: number }>(ENTRIES_MAX);
  const sessions = new RecentMap<string, LiveSession>(ENTRIES_MAX);
  /** Uses that are not written yet. Kept apart from `sessions`, so that an eviction there loses no use. */
  const used = new RecentMap<string, number>(ENTRIES_MAX);
  /** Counts notifications of changes: a row read before a change must not be cached after it. */
  let changes = 0;

  const forgetWhere = <T>(map: RecentMap<string, T>, matches: (value: T) => boolean) => {
    for (const [key, value] of map) if (matches(value)) map.delete(key);
  };
  const forgetEverything = () => {
    changes++;
    tokens.clear();
    sessions.clear();
  };
  feed.onGap(forgetEverything);
  feed.on(ACCESS_CHANNEL, (text) => {
    changes++;
    const change = JSON.parse(text) as AccessChange;
    if (change.what === 'everything') forgetEverything();
    else if (change.what === 'session') sessions.delete(change.id);
    else if (change.what === 'token') tokens.delete(change.id);
    else if (change.what === 'user')
      forgetWhere(sessions, ({ principal }) => principal.username === change.id);
    else forgetWhere(tokens, ({ clientId }) => clientId === change.id);
  });

  const touch = (tokenHash: string, session: LiveSession, nowMs: number): SessionCheck => {
    session.lastUsedMs = Math.max(session.lastUsedMs, nowMs);
    used.set(tokenHash, session.lastUsedMs);
    return session;
  };

  const readSession = async (tokenHash: string, nowMs: number): Promise<SessionCheck> => {
    const before = changes;
    const row = await findSession(db, tokenHash);
    if (row === undefined) return 'invalid';
    const lastUsedMs = Math.max(row.lastUsedAt.getTime(), used.get(tokenHash) ?? 0);
    if (nowMs - lastUsedMs > SESSION_IDLE_MS) return 'expired';
    const accounts = new Map<AccountName, EcpdId>(row.accounts.map((a) => [a.accountName, a.ecpdId]));
    const principal: Principal = { username: row.username, sessionHash: tokenHash, accounts };
    const session = { principal, lastUsedMs };
    if (before === changes) sessions.set(tokenHash, session);
    return touch(tokenHash, session, nowMs);
  };

  const readToken = async (tokenHash: string, nowMs: number): Promise<string | undefined> => {
    const before = changes;
    const row = await findToken(db, tokenHash);
    if (row === undefined || row.expiresAt.getTime() <= nowMs) return undefined;
    if (before === changes)
      tokens.set(tokenHash, { clientId: row.clientId, expiresMs: row.expiresAt.getTime() });
    return row.clientId;
  };

  const flush = async () => {
    const uses = Array.from(used);
    for (let i = 0; i < uses.length; i += USES_PER_STATEMENT) {
      const some = uses.slice(i, i + USES_PER_STATEMENT);
      await recordUses(
        db,
        some.map(([tokenHash, ms]) => ({ tokenHash, at: new Date(ms) })),
      );
      // Deleted only after the write. A session used again during the write has a newer time, which is kept.
      for (const [tokenHash, ms] of some) if (used.get(tokenHash) === ms) used.delete(tokenHash);
    }
  };
  const record = () =>
    flush().then(loop.passed, (error: unknown) => {
      loop.failed(error);
      onError(error);
    });
  loop.begin();
  const timer = setInterval(record, USE_RECORDED_MS);

  return {
    client(tokenHash, nowMs) {
      const known = feed.isCurrent() ? tokens.get(tokenHash) : undefined;
      if (known === undefined) return readToken(tokenHash, nowMs);
      return known.expiresMs > nowMs ? known.clientId : undefined;
    },
    session(tokenHash, nowMs) {
      const known = feed.isCurrent() ? sessions.get(tokenHash) : undefined;
      // Another process may have recorded a use: the row is read before the session counts as expired.
      if (known === undefined || nowMs - known.lastUsedMs > SESSION_IDLE_MS)
        return readSession(tokenHash, nowMs);
      return touch(tokenHash, known, nowMs);
    },
    async expireSession(tokenHash, nowMs) {
      used.delete(tokenHash);
      await setLastUse(db, tokenHash, new Date(nowMs - SESSION_IDLE_MS - 1));
      sessions.delete(tokenHash);
      await announceAccessChange(db, { what: 'session', id: tokenHash });
    },
    flush,
    async stop() {
      clearInterval(timer);
      await record();
    },
  };
}
