import type { Ctx, Principal, Tenant } from '../../platform/context.ts';
import { refuse } from '../../platform/fault.ts';
import { hasCredentialsOf } from '../sessions/index.ts';
import { usageTriggerFaults } from './errors.ts';

/** Triggers are managed with the primary account's credentials only. */
export const requirePrimary = async (ctx: Ctx, principal: Principal, tenant: Tenant): Promise<void> => {
  if (!(await hasCredentialsOf(ctx, principal, tenant))) refuse(usageTriggerFaults.notPrimary);
};
