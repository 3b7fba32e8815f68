import { createCallbackHttp } from '../adapters/callback-http/index.ts';
import { createAlertScheduler, createRuleCache } from '../features/smart-alerts/index.ts';
import { trueChance } from '../platform/chance/chance.ts';
import { realClock } from '../platform/clock/clock.ts';
import type { Settings } from '../platform/config/settings.ts';
import { type Ctx, NO_REQUEST } from '../platform/context/context.ts';
import { generateSecretKey, openSecretBox } from '../platform/crypto/secret-box.ts';
import { openDatabase } from '../platform/db/db.ts';
import { findFirstWaiting } from '../platform/jobs/sql-list.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { fillNew } from './empty-database.ts';
import { loadDemoFleet } from './load-demo.ts';
import { fleetSectionsWith } from './sections.ts';

const DAY_MS = 86_400_000;
const CONNECTIONS = 4;

/** The dates of the demo fleet change at midnight, UTC. */
const nextMidnight = (now: Date): Date => new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS);

const earliest = (times: readonly Date[]): Date => new Date(Math.min(...times.map((at) => at.getTime())));

/**
 * For a database that was just made: the tables, and the demo fleet as a start imports it, with its rules applied. Returns
 * the secret key that seals what it keeps, and until when a copy is the same as a new import: until the date changes, or a
 * job or a rule of the fleet is due.
 */
export async function fillWithDemo(databaseUrl: string, settings: Settings, log: Log) {
  const { prefix, callbackAllow, passwordCost } = settings;
  await fillNew(databaseUrl);
  const secretKey = generateSecretKey();
  const onError = (error: unknown) => log.error({ err: error }, 'background failure');
  const db = openDatabase(databaseUrl, {
    connections: CONNECTIONS,
    applicationName: 'linekeeper-prepare',
    onError,
  });
  const callbackHttp = createCallbackHttp({ allow: callbackAllow, log });
  try {
    const ctx: Ctx = {
      ...{ db, clock: realClock, now: realClock.now, newId: trueChance.newId, chance: trueChance, log },
      secrets: openSecretBox(secretKey),
      hashCost: passwordCost,
      requestId: NO_REQUEST,
      actor: { kind: 'system', name: 'service' },
    };
    await loadDemoFleet(ctx, fleetSectionsWith(callbackHttp.checkAddressText), prefix);
    // Each copy would otherwise begin with this work.
    const rules = createAlertScheduler(ctx, { cache: createRuleCache(), count: () => {} });
    await rules.settle();
    const due = [await findFirstWaiting(db), await rules.nextDueAt()].filter((at) => at !== undefined);
    return { note: secretKey, validUntil: earliest([nextMidnight(ctx.now()), ...due]) };
  } finally {
    await callbackHttp.close();
    await db.close();
  }
}
