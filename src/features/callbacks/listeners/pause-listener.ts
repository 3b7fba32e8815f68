import { type Ctx, inTx, type Tenant } from '../../../platform/context/context.ts';
import type { ListenerService } from '../service-names.ts';
import { announceListenerChange } from '../sql-message.ts';
import { setListenerPaused } from './sql-listener.ts';

const setPaused = (
  outer: Ctx,
  tenant: Tenant,
  serviceName: ListenerService,
  paused: boolean,
): Promise<boolean> =>
  inTx(outer, async ({ db, now }) => {
    const found = (await setListenerPaused(db, tenant, serviceName, { paused, now: now() })) === 1;
    if (found) await announceListenerChange(db, tenant, serviceName);
    return found;
  });

/** Both answer whether there is such a listener; pausing a paused one is no error. */
export const pauseListener = (ctx: Ctx, tenant: Tenant, serviceName: ListenerService) =>
  setPaused(ctx, tenant, serviceName, true);

export const resumeListener = (ctx: Ctx, tenant: Tenant, serviceName: ListenerService) =>
  setPaused(ctx, tenant, serviceName, false);
