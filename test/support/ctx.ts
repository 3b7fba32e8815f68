import { trueChance } from '../../src/platform/chance/chance.ts';
import { type MovableClock, movableClock } from '../../src/platform/clock/clock.ts';
import { type Ctx, NO_REQUEST } from '../../src/platform/context/context.ts';
import { COST_MIN } from '../../src/platform/crypto/password-hash.ts';
import { generateSecretKey, openSecretBox } from '../../src/platform/crypto/secret-box.ts';
import type { Db } from '../../src/platform/db/db.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';

/** The context of a use-case on a database. The clock stands still until the test moves it. */
export function makeCtx(
  db: Db,
  at = new Date('2026-01-05T00:00:00Z'),
): Ctx & { readonly clock: MovableClock } {
  const clock = movableClock();
  clock.holdAt(at);
  const log = createLog(process.env['TEST_LOG'] ?? 'silent');
  return {
    db,
    clock,
    now: clock.now,
    newId: trueChance.newId,
    chance: trueChance,
    log,
    secrets: openSecretBox(generateSecretKey()),
    hashCost: COST_MIN,
    requestId: NO_REQUEST,
    actor: { kind: 'system', name: 'test' },
  };
}
