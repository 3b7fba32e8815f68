import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { AccountName } from '../../kernel/account-name.ts';
import type { Principal, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { accountIn, calledBy } from '../../platform/http/access.ts';
import {
  Accepted,
  type Creation,
  carrierFaults,
  createRequest,
  parseNamed,
  parseSelection,
  refuseFilters,
  type Selection,
  type WorkJob,
} from '../carrier-requests/index.ts';
import { DEVICE_STATES } from '../devices/index.ts';
import { activation } from './activate-devices.ts';
import { lifecycleFaults } from './errors.ts';
import { TRANSITIONS } from './lifecycle.ts';
import { deactivation, restoreOperation, suspensionStatusOperation } from './operations.ts';
import { parseActivation } from './parse-activation.ts';
import * as schemas from './schemas.ts';
import { suspendOperation } from './suspend-devices.ts';

/** The caller's other accounts in the same profile. */
const otherAccounts = ({ accounts }: Principal, { ecpdId, accountName }: Tenant): readonly AccountName[] =>
  [...accounts].flatMap(([name, profile]) => (profile === ecpdId && name !== accountName ? name : []));

/** A deactivation cannot be undone, so lines must be named one by one. */
function parseDeactivated(body: schemas.DeactivateBody): Selection {
  refuseFilters(body);
  const { named } = parseNamed(body);
  if (body.servicePlan !== undefined) refuse(carrierFaults.filterNotSupported, { reason: 'servicePlan' });
  return { named };
}

type Caller = Pick<FastifyRequest, 'ctx' | 'tenant' | 'principal'>;
type Wanted<S extends TSchema> = Omit<Creation<S>, 'createdBy'>;

/** Mounted at /m2m/v1. Each call creates a request: `parse` returns what is wanted, and for which devices. */
export const lifecycleRoutes =
  ({ workJob }: { readonly workJob: WorkJob }): FastifyPluginAsyncTypebox =>
  async (api) => {
    const add = <Body extends TSchema, S extends TSchema>(
      url: string,
      schema: { readonly operationId: string; readonly summary: string; readonly body: Body },
      parse: (body: Static<Body>, caller: Caller) => Wanted<S> | Promise<Wanted<S>>,
    ) =>
      api.post(
        url,
        calledBy(accountIn('body', { mayBeAbsent: true }), { ...schema, response: { 200: Accepted } }),
        async (request) => {
          const { ctx, tenant, principal, body } = request;
          const wanted = await parse(body as Static<Body>, request);
          return createRequest(ctx, tenant, { ...wanted, createdBy: principal.username }, workJob);
        },
      );

    add(
      '/devices/actions/activate',
      {
        operationId: 'activateDevices',
        summary: 'Activates up to 10,000 devices on a plan; unknown devices are added first',
        body: schemas.ActivateBody,
      },
      async (body, { ctx, tenant, principal }) => {
        const { selection, asked } = await parseActivation(ctx, body);
        const others = otherAccounts(principal, tenant);
        return { operation: activation, body: asked, selection, others };
      },
    );

    add(
      '/devices/actions/suspend',
      {
        operationId: 'suspendDevices',
        summary: 'Suspends devices for at most 90 days; they then return to active automatically',
        body: schemas.SuspendBody,
      },
      (body) => ({
        operation: suspendOperation,
        body: {
          ...(body.withBilling !== undefined && { withBilling: body.withBilling }),
          skipSuspended: false,
          reason: 'request',
        },
        selection: parseSelection(body, schemas.SuspendBody),
        states: TRANSITIONS.suspend.from,
      }),
    );

    add(
      '/devices/actions/restore',
      {
        operationId: 'restoreDevices',
        summary: 'Ends the suspension of devices',
        body: schemas.RestoreBody,
      },
      (body) => ({
        operation: restoreOperation,
        body: {},
        selection: parseSelection(body, schemas.RestoreBody),
        states: TRANSITIONS.restore.from,
      }),
    );

    add(
      '/devices/actions/deactivate',
      {
        operationId: 'deactivateDevices',
        summary: 'Ends the service of devices, and deletes them if requested',
        body: schemas.DeactivateBody,
      },
      (body) => {
        if (body.reasonCode.toUpperCase() !== 'FF') refuse(lifecycleFaults.badReasonCode);
        const { deleteAfterDeactivation = false } = body;
        const selection = parseDeactivated(body);
        return { operation: deactivation, body: { deleteAfterDeactivation }, selection };
      },
    );

    add(
      '/devices/suspension/status',
      {
        operationId: 'reportSuspensions',
        summary: 'Reports by DeviceSuspensionStatus callbacks which devices are suspended, and for how long',
        body: schemas.StatusBody,
      },
      (body) => ({
        operation: suspensionStatusOperation,
        body: {},
        selection: parseSelection(body, schemas.StatusBody),
        states: DEVICE_STATES,
      }),
    );
  };
