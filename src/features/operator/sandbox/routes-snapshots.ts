import type { ServerResponse } from 'node:http';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Ctx } from '../../../platform/context/context.ts';
import { defineFaults, fault, refuse } from '../../../platform/context/fault.ts';
import { auditAnew } from '../audit-calls.ts';
import { operatorFaults } from '../errors.ts';
import { withScope } from '../route.ts';

export const snapshotFaults = defineFaults({
  absent: fault(
    409,
    'snapshots_absent',
    'Snapshots and resets need the embedded database, and this sandbox runs on DATABASE_URL',
  ),
  unknown: fault(404, 'snapshot_unknown', 'There is no such snapshot'),
  exists: fault(
    409,
    'snapshot_exists',
    'There is already a snapshot with this name: delete it, or choose another name',
  ),
  tooMany: fault(409, 'snapshots_full', 'There are already 100 snapshots: delete one'),
  busy: fault(409, 'snapshots_busy', 'Another snapshot, restore or reset is under way'),
  otherVersion: fault(409, 'snapshot_version', 'The snapshot is of another version'),
  inUse: fault(
    409,
    'database_in_use',
    'Another program is connected to the embedded database: close its connection, and try again',
  ),
  diskFull: fault(507, 'disk_full', 'The disk of the embedded database is full'),
});

const NAME_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$';
const Named = Type.Object({ name: Type.String({ pattern: NAME_PATTERN }) });

const WireSnapshot = Type.Object({ name: Type.String(), at: Type.String(), bytes: Type.Integer() });
export type Snapshot = Static<typeof WireSnapshot>;

/** The call that waits while everything it depends on is closed and reopened. */
export interface Asking {
  readonly asking: ServerResponse;
  /** Called with the new context. */
  readonly reopened: (ctx: Ctx) => void;
}

/** Snapshots of the whole state of the sandbox. Each method refuses with the faults above. */
export interface Snapshots {
  make(name: string, asking: Asking): Promise<Snapshot>;
  list(): Promise<Snapshot[]>;
  restore(name: string, asking: Asking): Promise<void>;
  /** Restores the state the sandbox was started with. */
  reset(asking: Asking): Promise<void>;
  delete(name: string): Promise<void>;
  /** Deletes leftovers of a killed process. */
  tidy(): Promise<void>;
}

export interface SnapshotDeps {
  readonly sandbox: boolean;
  readonly snapshots: Snapshots | undefined;
  /** Called after another state has replaced the current one. */
  readonly restored: () => void;
}

const WireNow = Type.Object({ now: Type.String() });
const keyedAfterwards = { idempotencyKey: 'afterwards' } as const;

export const snapshotRoutes =
  ({ sandbox, snapshots, restored }: SnapshotDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    const storeOrRefuse = (): Snapshots => {
      if (!sandbox) return refuse(operatorFaults.sandboxOnly);
      return snapshots ?? refuse(snapshotFaults.absent);
    };
    const askingOf = (request: FastifyRequest, reply: FastifyReply): Asking => ({
      asking: reply.raw,
      reopened(ctx) {
        const { db, clock, now } = ctx;
        request.ctx = { ...request.ctx, db, clock, now };
      },
    });
    /** The audit entry of this call was lost with the earlier state, so it is written again. */
    const finish = async (request: FastifyRequest) => {
      restored();
      await auditAnew(request);
      return { now: request.ctx.now().toISOString() };
    };

    api.get(
      '/snapshots',
      withScope('read', {
        operationId: 'operatorListSnapshots',
        summary: 'Lists the snapshots of the sandbox, with the domain time and the size of each',
        response: { 200: Type.Array(WireSnapshot) },
      }),
      () => storeOrRefuse().list(),
    );

    api.post(
      '/snapshots',
      withScope(
        'clock',
        {
          operationId: 'operatorMakeSnapshot',
          summary:
            'Saves the whole state of the sandbox under a name, including secrets and the clock, but no operator keys',
          body: Named,
          response: { 201: WireSnapshot },
        },
        keyedAfterwards,
      ),
      async (request, reply) => {
        const made = await storeOrRefuse().make(request.body.name, askingOf(request, reply));
        reply.code(201);
        return made;
      },
    );

    api.post(
      '/snapshots/:name/restore',
      withScope(
        'admin',
        {
          operationId: 'operatorRestoreSnapshot',
          summary:
            'Restores the sandbox to a snapshot; everything since then is lost, but operator keys stay as they are now',
          params: Named,
          response: { 200: WireNow },
        },
        keyedAfterwards,
      ),
      async (request, reply) => {
        await storeOrRefuse().restore(request.params.name, askingOf(request, reply));
        return finish(request);
      },
    );

    api.delete(
      '/snapshots/:name',
      withScope('admin', {
        operationId: 'operatorDeleteSnapshot',
        summary: 'Deletes a snapshot',
        params: Named,
        response: { 200: Type.Object({ success: Type.Boolean() }) },
      }),
      async ({ params }) => {
        await storeOrRefuse().delete(params.name);
        return { success: true };
      },
    );

    api.post(
      '/reset',
      withScope(
        'admin',
        {
          operationId: 'operatorResetSandbox',
          summary:
            'Resets the sandbox to the fleet it was started with, including users and applications, and the clock to real time; operator keys stay',
          response: { 200: WireNow },
        },
        keyedAfterwards,
      ),
      async (request, reply) => {
        await storeOrRefuse().reset(askingOf(request, reply));
        return finish(request);
      },
    );
  };
