import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { failed } from '../callback-payloads/index.ts';
import { postCallbacks } from '../callbacks/index.ts';
import type { CarrierRequest, Outcome, Workings } from './carrier-operation.ts';
import type { Place } from './find-places.ts';
import { noteLearned, setHeld } from './sql-device.ts';
import { countSettled } from './sql-request.ts';

/** The device waits for the network, and is settled after its confirmation. */
export const HELD = { held: true } as const;

interface Settled {
  readonly places: readonly Place[];
  readonly outcomes: readonly (Outcome | typeof HELD)[];
  /** Whether the places were held until now. */
  readonly wereHeld?: boolean;
}

/**
 * Writes the callback of each place and counts the places; returns true if the request has ended. No statement depends
 * on the result of another, so each is sent while the one before runs.
 */
export async function settle(
  tx: Ctx,
  tenant: Tenant,
  { requestId, operation }: Pick<CarrierRequest, 'requestId' | 'operation'>,
  { operations, onSettled }: Workings,
  { places, outcomes, wereHeld = false }: Settled,
): Promise<boolean> {
  const serviceName = operations.get(operation)?.serviceName ?? 'CarrierService';
  const faults = outcomes.map((outcome) => ('fault' in outcome ? outcome.fault : undefined));
  const held = places.filter((_, n) => 'held' in outcomes[n]!);
  const learned = places.flatMap(({ row, deviceId }, n) => {
    const added = row.deviceId === null ? (deviceId ?? undefined) : undefined;
    const fault = faults[n];
    const isNew = added !== undefined || (fault !== undefined && row.faultCode === null);
    return isNew ? [{ nth: row.nth, added, fault }] : [];
  });
  const payloads = places.flatMap(({ reportedIds }, n) => {
    const outcome = outcomes[n]!;
    if ('skipped' in outcome || 'held' in outcome) return [];
    return 'fault' in outcome
      ? [failed({ requestId, deviceIds: reportedIds }, outcome.fault)]
      : [outcome.payload];
  });
  const failures = faults.filter((fault) => fault !== undefined).length;
  const counts = {
    succeeded: places.length - failures - held.length,
    failed: failures,
    held: wereHeld ? -places.length : held.length,
    now: tx.now(),
  };
  const marked = (wereHeld ? places : held).map(({ row }) => row.nth);
  const [, , , ended] = await Promise.all([
    noteLearned(tx.db, tenant, requestId, learned),
    marked.length > 0 ? setHeld(tx.db, tenant, requestId, { places: marked, held: !wereHeld }) : undefined,
    postCallbacks(
      tx,
      tenant.ecpdId,
      payloads.map((payload) => ({ accountName: tenant.accountName, serviceName, requestId, payload })),
    ),
    countSettled(tx.db, tenant, requestId, counts),
  ]);
  const lines = places.flatMap(({ deviceId }, n) =>
    deviceId === null || 'held' in outcomes[n]! ? [] : [{ deviceId, fault: faults[n] }],
  );
  if (lines.length > 0) for (const notify of onSettled) await notify(tx, tenant, { requestId, lines });
  return ended;
}
