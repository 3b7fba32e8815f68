import type { SessionsOf } from '../../adapters/radius/index.ts';
import { type Attribute, attribute } from '../../adapters/radius/packet.ts';
import { listOpenSessions } from '../../features/data-sessions/index.ts';
import { findDeviceKeys } from '../../features/devices/index.ts';
import type { Ctx } from '../../platform/context/context.ts';

/** Limit for all lines together, which usually have one or two; lines beyond it are identified without a session. */
const SESSIONS_MAX = 5_000;

/** The open sessions of lines on one access server, or on all if no name is given. */
export const openSessionsOf =
  ({ db }: Pick<Ctx, 'db'>, nasIdentifier: string | undefined): SessionsOf =>
  async (lines) => {
    const keys = await findDeviceKeys(
      db,
      lines.map(({ imsi }) => ({ id: { kind: 'imsi', value: imsi }, atMs: Infinity })),
    );
    const known = keys.filter((key) => key !== undefined);
    const names = new Map<string, (readonly Attribute[])[]>();
    for (const [ecpdId, some] of Map.groupBy(known, (key) => key.ecpdId)) {
      const ids = some.map(({ deviceId }) => deviceId);
      for (const { deviceId, nas, sessionId } of await listOpenSessions(db, ecpdId, ids, SESSIONS_MAX))
        if (nasIdentifier === undefined || nas === nasIdentifier)
          names.set(deviceId, [...(names.get(deviceId) ?? []), [attribute('Acct-Session-Id', sessionId)]]);
    }
    return keys.map((key) => (key === undefined ? [] : (names.get(key.deviceId) ?? [])));
  };
