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
    'There is a snapshot with this name already: delete it, or choose another',
  ),
  tooMany: fault(409, 'snapshots_full', 'There are 100 snapshots already: delete one'),
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

/** The call that waits while everything behind it is closed and opened again. */
export interface Asking {
  readonly asking: ServerResponse;
  /** Told what to go on with. */
  readonly reopened: (ctx: Ctx) => void;
}

/** Whole states of the sandbox, to go back to. Each refuses by the faults above. */
export interface Snapshots {
  make(name: string, asking: Asking): Promise<Snapshot>;
  list(): Promise<Snapshot[]>;
  restore(name: string, asking: Asking): Promise<void>;
  /** Back to what the sandbox was started with. */
  reset(asking: Asking): Promise<void>;
  delete(name: string): Promise<void>;
  /** Drops what a killed process has left behind. */
  tidy(): Promise<void>;
}

export interface SnapshotDeps {
  readonly sandbox: boolean;
  readonly snapshots: Snapshots | undefined;
  /** Told when another state was put in the place of the one before. */
  readonly restored: () => void;
}

const WireNow = Type.Object({ now: Type.String() });
const atOnceOrNot = { idempotencyKey: 'afterwards' } as const;

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
    /** The log of what was asked went away with the state before. */
    const goOn = async (request: FastifyRequest) => {
      restored();
      await auditAnew(request);
      return { now: request.ctx.now().toISOString() };
    };

    api.get(
      '/snapshots',
      withScope('read', {
        operationId: 'operatorListSnapshots',
        summary: 'The snapshots of the sandbox, with the domain time and the size of each',
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
          summary: 'Keeps the whole state of the sandbox under a name, secrets and the clock too',
          body: Named,
          response: { 201: WireSnapshot },
        },
        atOnceOrNot,
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
          summary: 'Puts the sandbox back to a snapshot: everything since then is lost',
          params: Named,
          response: { 200: WireNow },
        },
        atOnceOrNot,
      ),
      async (request, reply) => {
        await storeOrRefuse().restore(request.params.name, askingOf(request, reply));
        return goOn(request);
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
            'Puts the sandbox back to the fleet it was started with, users and applications too, and the clock to real time',
          response: { 200: WireNow },
        },
        atOnceOrNot,
      ),
      async (request, reply) => {
        await storeOrRefuse().reset(askingOf(request, reply));
        return goOn(request);
      },
    );
  };
