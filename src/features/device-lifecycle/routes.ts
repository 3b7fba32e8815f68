import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { AccountName } from '../../kernel/account-name.ts';
import type { Principal, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { accountIn } from '../../platform/http/access.ts';
import {
  Accepted,
  carrierFaults,
  createRequest,
  readNamed,
  readSelection,
  refuseFilters,
  type Selection,
  type WorkJob,
} from '../carrier-requests/index.ts';
import { DEVICE_STATES } from '../devices/index.ts';
import { activation } from './activate-devices.ts';
import { deactivation } from './deactivate-devices.ts';
import { lifecycleFaults } from './errors.ts';
import { statesFor } from './lifecycle.ts';
import { readActivation } from './read-activation.ts';
import { suspensionStatusOperation } from './report-suspensions.ts';
import { restoreOperation } from './restore-devices.ts';
import * as schemas from './schemas.ts';
import { suspendOperation } from './suspend-devices.ts';

const config = { access: accountIn('body', { mayBeAbsent: true }) };
const response = { 200: Accepted };

/** Of the same profile. */
const otherAccounts = ({ accounts }: Principal, { ecpdId, accountName }: Tenant): readonly AccountName[] =>
  [...accounts].flatMap(([name, profile]) => (profile === ecpdId && name !== accountName ? name : []));

/** There is no way back: lines are named one by one. */
function readDeactivated(body: schemas.DeactivateBody): Selection {
  refuseFilters(body);
  const { named } = readNamed(body);
  if (body.servicePlan !== undefined) refuse(carrierFaults.filterNotSupported, { reason: 'servicePlan' });
  return { named };
}

/** Mounted at /m2m/v1. */
export const lifecycleRoutes =
  ({ workJob }: { readonly workJob: WorkJob }): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.post(
      '/devices/actions/activate',
      {
        config,
        schema: {
          operationId: 'activateDevices',
          summary: 'Activates up to 10,000 devices on a plan; devices that are unknown are added first',
          body: schemas.ActivateBody,
          response,
        },
      },
      async ({ ctx, tenant, principal, body }) => {
        const { selection, asked } = await readActivation(ctx, body);
        return createRequest(
          ctx,
          tenant,
          {
            operation: activation,
            body: asked,
            createdBy: principal.username,
            selection,
            others: otherAccounts(principal, tenant),
          },
          workJob,
        );
      },
    );

    api.post(
      '/devices/actions/suspend',
      {
        config,
        schema: {
          operationId: 'suspendDevices',
          summary: 'Suspends devices, for 90 days at most; they return to active by themselves',
          body: schemas.SuspendBody,
          response,
        },
      },
      ({ ctx, tenant, principal, body }) => {
        const { withBilling } = body;
        return createRequest(
          ctx,
          tenant,
          {
            operation: suspendOperation,
            body: {
              ...(withBilling !== undefined && { withBilling }),
              skipSuspended: false,
              reason: 'request',
            },
            createdBy: principal.username,
            selection: readSelection(body, schemas.SuspendBody),
            states: statesFor('suspend'),
          },
          workJob,
        );
      },
    );

    api.post(
      '/devices/actions/restore',
      {
        config,
        schema: {
          operationId: 'restoreDevices',
          summary: 'Ends the suspension of devices',
          body: schemas.RestoreBody,
          response,
        },
      },
      ({ ctx, tenant, principal, body }) =>
        createRequest(
          ctx,
          tenant,
          {
            operation: restoreOperation,
            body: {},
            createdBy: principal.username,
            selection: readSelection(body, schemas.RestoreBody),
            states: statesFor('restore'),
          },
          workJob,
        ),
    );

    api.post(
      '/devices/actions/deactivate',
      {
        config,
        schema: {
          operationId: 'deactivateDevices',
          summary: 'Ends the service of devices, and deletes them where asked to',
          body: schemas.DeactivateBody,
          response,
        },
      },
      ({ ctx, tenant, principal, body }) => {
        if (body.reasonCode.toUpperCase() !== 'FF') refuse(lifecycleFaults.badReasonCode);
        return createRequest(
          ctx,
          tenant,
          {
            operation: deactivation,
            body: { deleteAfterDeactivation: body.deleteAfterDeactivation ?? false },
            createdBy: principal.username,
            selection: readDeactivated(body),
          },
          workJob,
        );
      },
    );

    api.post(
      '/devices/suspension/status',
      {
        config,
        schema: {
          operationId: 'reportSuspensions',
          summary: 'Tells by DeviceSuspensionStatus callbacks which devices are suspended, and for how long',
          body: schemas.StatusBody,
          response,
        },
      },
      ({ ctx, tenant, principal, body }) =>
        createRequest(
          ctx,
          tenant,
          {
            operation: suspensionStatusOperation,
            body: {},
            createdBy: principal.username,
            selection: readSelection(body, schemas.StatusBody),
            states: DEVICE_STATES,
          },
          workJob,
        ),
    );
  };
