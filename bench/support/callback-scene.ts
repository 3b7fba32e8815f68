import { fileURLToPath } from 'node:url';
import { fleetSections } from '../../src/app/sections.ts';
import { LISTENER_SERVICES } from '../../src/features/callback-payloads/index.ts';
import type { Callback } from '../../src/features/callbacks/index.ts';
import type { Ctx } from '../../src/platform/context/context.ts';
import { type Database, openDatabase } from '../../src/platform/db/db.ts';
import { migrate, readMigrations } from '../../src/platform/db/migrate.ts';
import { importDocument } from '../../src/platform/fleet-document/import-document.ts';
import { makeCtx } from '../../test/support/ctx.ts';

export const ECPD = '9000001';
/** About 1 KB on the wire. */
export const PAYLOAD = { deviceResponse: { filler: 'x'.repeat(960) } };

export interface Listener {
  /** The default profile of most scenes. */
  readonly ecpdId?: string;
  readonly accountName: string;
  readonly serviceName: (typeof LISTENER_SERVICES)[number];
  readonly url: string;
}

export interface CallbackScene {
  readonly ctx: Ctx;
  readonly db: Database;
  readonly listeners: readonly Listener[];
}

/** `count` listeners, ten of each account; `urlOf` gives the address of the n-th. */
export const makeListeners = (count: number, urlOf: (n: number) => string): Listener[] =>
  Array.from({ length: count }, (_, n) => ({
    accountName: `0000123456-${String(1 + Math.floor(n / 10)).padStart(5, '0')}`,
    serviceName: LISTENER_SERVICES[n % 10]!,
    url: urlOf(n),
  }));

/** The service's schema with the profiles and accounts of these listeners, in real time. */
export async function openScene(url: string, listeners: readonly Listener[]): Promise<CallbackScene> {
  await migrate(url, await readMigrations(fileURLToPath(new URL('../../migrations/', import.meta.url))));
  const db = openDatabase(url, { connections: 10 });
  const ctx = makeCtx(db, new Date());
  ctx.clock.release();
  const accounts = new Map(listeners.map(({ accountName, ecpdId = ECPD }) => [accountName, ecpdId]));
  const document = JSON.stringify({
    profiles: [...new Set(accounts.values())].map((ecpdId) => ({ ecpdId })),
    accounts: [...accounts].map(([accountName, ecpdId]) => ({ accountName, ecpdId })),
    listeners: listeners.map(({ accountName, serviceName, url }) => ({
      ...{ accountName, serviceName, url, username: 'u', password: 'p' },
    })),
  });
  const imported = await importDocument(
    ctx,
    (async function* () {
      yield Buffer.from(document);
    })(),
    fleetSections,
  );
  if ('problems' in imported) throw new Error(JSON.stringify(imported.problems));
  return { ctx, db, listeners };
}

/** Posts messages to these listeners in rotation. */
export const makeCallbacks = (count: number, listeners: readonly Listener[]): Callback[] =>
  Array.from({ length: count }, (_, n) => {
    const { accountName, serviceName } = listeners[n % listeners.length]!;
    return { accountName, serviceName, requestId: `r${n}`, payload: PAYLOAD };
  });
