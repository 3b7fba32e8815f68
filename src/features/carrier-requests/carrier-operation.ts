import type { Static, TSchema } from 'typebox';
import type { AccountName } from '../../kernel/account-name.ts';
import type { DeviceId, DeviceIdColumns, DeviceIdKind } from '../../kernel/device-id.ts';
import type { Actor, Ctx, Tenant } from '../../platform/context/context.ts';
import type { Answered, ListenerService } from '../callback-payloads/index.ts';
import type { DeviceState } from '../devices/index.ts';
import type { LineNetwork } from '../network/index.ts';
import type { DeviceFault } from './errors.ts';

/** How far a request is, whichever feature works on it. */
export interface RequestProgress {
  readonly requestId: string;
  readonly operation: string;
  readonly status: 'Pending' | 'Success' | 'Failure';
  /** Of requests that change devices. */
  readonly devices?: { readonly requested: number; readonly succeeded: number; readonly failed: number };
}

export interface CarrierRequest extends Omit<RequestProgress, 'devices'> {
  readonly deviceCount: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Of those before the next ones, how many wait for the network. */
  readonly held: number;
  readonly body: unknown;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly createdByKind: Actor['kind'];
}

/** Also a check constraint of the table. */
export const DEVICES_MAX = 10_000;

/** How much is done at once. */
export interface RequestLimits {
  /** In one request. */
  readonly devicesMax: number;
  /** Changed, marked and told in one transaction: so many are lost by a crash, and done again. */
  readonly chunk: number;
}

export const REQUEST_LIMITS: RequestLimits = { devicesMax: DEVICES_MAX, chunk: 1_000 };

/** Identifiers by which one device of a request may be named: there are not more kinds. */
export const IDS_PER_DEVICE_MAX = 11;

/** Requests of one account that are not yet ended. */
export const OPEN_MAX = 1_000;

/** A device of a request as it is now; it stays so until the transaction ends, except for what the operation does. */
export interface LockedDevice extends DeviceIdColumns {
  readonly deviceId: string;
  /** Another one than the request's where the operation takes devices from others. */
  readonly accountName: string;
  readonly state: DeviceState;
  readonly servicePlan: string | null;
  readonly planSince: Date | null;
  readonly activatedBySku: boolean;
  readonly otaUpdated: boolean;
  /** `productmodel` of its record, where it is known. */
  readonly model: string | null;
  /** Request id and the identifiers that the request named: what builders of payloads begin with. */
  readonly answered: Answered;
}

/**
 * What became of one device: a payload that tells its success, a fault, or nothing to do. Of a device that was skipped
 * nobody is told.
 */
export type Outcome =
  | { readonly payload: object }
  | { readonly fault: DeviceFault }
  | { readonly skipped: true };

export interface WorkedRequest<Body> {
  readonly requestId: string;
  readonly body: Body;
  readonly createdAt: Date;
  readonly createdBy: string;
}

/** A device that the request names and nobody has: its place in the request, and its identifiers. */
interface UnknownDevice {
  readonly nth: number;
  readonly ids: readonly DeviceId[];
}

/** One thing that can be asked for many devices. Features define theirs, and `app` hands all of them to the engine. */
export interface CarrierOperation<S extends TSchema = TSchema> {
  /** Stored with each request: a name that was used is never used for anything else. */
  readonly name: string;
  /** What is asked for beside the devices, as it is stored with the request. */
  readonly body: S;
  /** The kinds of identifiers that callbacks name devices by, where not all are; those of the device where none was asked for. */
  readonly callbackKinds?: readonly DeviceIdKind[];
  /** Where results go, failures too. */
  readonly serviceName?: ListenerService;
  /** Called first in the transaction of a chunk, before the account, the request and its devices are locked. */
  readonly prepare?: (ctx: Ctx, tenant: Tenant, body: Static<S>) => Promise<void>;
  /**
   * Where devices may come from other accounts of who asks: which, with the body that says so, and as the body says. Those that
   * `handle` gets from there are locked, and it is for `handle` to take them over.
   */
  readonly others?: {
    readonly add: (body: Static<S>, accountNames: readonly AccountName[]) => Static<S>;
    readonly of: (body: Static<S>) => readonly AccountName[];
  };
  /** How many of these devices, from the first on, are worked on at once, where that follows from what they have; at least one. */
  readonly countFitting?: (
    ctx: Ctx,
    tenant: Tenant,
    body: Static<S>,
    deviceIds: readonly string[],
  ) => Promise<number>;
  /**
   * Called in the transaction of a chunk, with at most a thousand devices, each once and locked, in the order of the
   * request: what does not suffice for all goes to the first. Writes set by set; answers an outcome for every device by
   * its id.
   */
  readonly handle: (
    ctx: Ctx,
    tenant: Tenant,
    request: WorkedRequest<Static<S>>,
    devices: readonly LockedDevice[],
  ) => Promise<ReadonlyMap<string, Outcome>>;
  /**
   * Set where the operation changes lines, which the network has to confirm first. Such a change is tried and undone, ordered,
   * and made when it is confirmed: `handle` is called for a device more than once.
   */
  readonly changesLines?: {
    /** What must be the same in both: called for devices that are about to be held, and what it writes stays. */
    readonly keep?: (ctx: Ctx, tenant: Tenant, devices: readonly LockedDevice[]) => Promise<void>;
  };
  /**
   * Where identifiers that nobody has make a new device: called before `handle`, in the same transaction; answers the ids
   * of the devices by their place. Then `handle` also gets devices that are named by such identifiers beside their own.
   * Without it such devices are not found, or contradicting.
   */
  readonly addDevices?: (
    ctx: Ctx,
    tenant: Tenant,
    request: WorkedRequest<Static<S>>,
    unknown: readonly UnknownDevice[],
  ) => Promise<ReadonlyMap<number, string>>;
}

/** As much of an operation as whoever asks for it knows. */
export type AskedOperation<S extends TSchema = TSchema> = Pick<
  CarrierOperation<S>,
  'name' | 'body' | 'addDevices' | 'others'
>;

export interface EndedRequest {
  readonly requestId: string;
  readonly succeeded: number;
  readonly failed: number;
}

/** Who waits for the end of requests. Called in the transaction that ends one, after everything about its devices. */
type OnEnded = (tx: Ctx, tenant: Tenant, ended: EndedRequest) => Promise<void>;

/** What whoever works on requests must know: `app` puts it together. */
export interface Workings {
  readonly operations: ReadonlyMap<string, CarrierOperation>;
  readonly onEnded: readonly OnEnded[];
  readonly limits: RequestLimits;
  /** Where lines have one. */
  readonly network?: LineNetwork | undefined;
}

export const defineOperation = <S extends TSchema>(operation: CarrierOperation<S>): CarrierOperation<S> =>
  operation;

/** The same for what is known without who works on it. */
export const defineAsked = <S extends TSchema, A extends AskedOperation<S>>(
  operation: A & AskedOperation<S>,
): A => operation;
