import type { Ctx, Tenant } from '../../platform/context.ts';
import type { ListenerService } from './service-names.ts';
import { setListenerPaused } from './sql.ts';

/** Both answer whether there is such a listener; pausing a paused one is no error. */
export const pauseListener = async (
  { db, now }: Ctx,
  tenant: Tenant,
  serviceName: ListenerService,
): Promise<boolean> => (await setListenerPaused(db, tenant, serviceName, { paused: true, now: now() })) === 1;

export const resumeListener = async (
  { db, now }: Ctx,
  tenant: Tenant,
  serviceName: ListenerService,
): Promise<boolean> =>
  (await setListenerPaused(db, tenant, serviceName, { paused: false, now: now() })) === 1;
