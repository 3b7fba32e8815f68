import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { findAccount } from '../accounts/index.ts';
import { deviceListFaults } from './errors.ts';

/** Every call about locating: an account takes part only when it is registered for device location. */
export async function requireRegistered({ db }: Pick<Ctx, 'db'>, tenant: Tenant): Promise<void> {
  // An account deleted since the session was checked is not registered for anything either.
  if (!(await findAccount(db, tenant))?.locationRegistered) refuse(deviceListFaults.unregisteredAccount);
}
