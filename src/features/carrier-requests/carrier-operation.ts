import type { Static, TSchema } from 'typebox';
import type { AccountName } from '../../kernel/account-name.ts';
import type { DeviceId, DeviceIdColumns, DeviceIdKind } from '../../kernel/device-id.ts';
import type { Actor, Ctx, Tenant } from '../../platform/context/context.ts';
import type { Answered, ListenerService } from '../callback-payloads/index.ts';
import type { DeviceState } from '../devices/index.ts';
import type { LineNetwork } from '../network/index.ts';
import type { DeviceFault } from './errors.ts';

/** The progress of a request, for every feature that works on requests. */
export interface RequestProgress {
  readonly requestId: string;
  readonly operation: string;
  readonly status: 'Pending' | 'Success' | 'Failure';
  /** Present for requests that change devices. */
  readonly devices?: {
    readonly requested: number;
    readonly succeeded: number;
    readonly failed: number;
    /** Changed, but an element that follows changes did not carry its order out. */
    readonly unfollowed: number;
  };
}

export interface CarrierRequest extends Omit<RequestProgress, 'devices'> {
  readonly deviceCount: number;
  readonly succeeded: number;
  readonly failed: number;
  /** How many of the devices worked on so far wait for the network. */
  readonly held: number;
  readonly body: unknown;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly createdByKind: Actor['kind'];
}

/** Also a check constraint of the table. */
export const DEVICES_MAX = 10_000;

/** Limits on the work done at once. */
export interface RequestLimits {
  /** Devices in one request. */
  readonly devicesMax: number;
  /** Devices changed, marked and reported in one transaction. A crash loses at most this many, and they are redone. */
  readonly chunk: number;
}

export const REQUEST_LIMITS: RequestLimits = { devicesMax: DEVICES_MAX, chunk: 1_000 };

/** Identifiers by which a request may name one device: one of each kind. */
export const IDS_PER_DEVICE_MAX = 11;

/** Unfinished requests of one account. */
export const OPEN_MAX = 1_000;

/** The current state of a device of a request. Until the transaction ends, only the operation changes it. */
export interface LockedDevice extends DeviceIdColumns {
  readonly deviceId: string;
  /** Differs from the request's account if the operation takes devices from other accounts. */
  readonly accountName: string;
  readonly state: DeviceState;
  readonly servicePlan: string | null;
  readonly planSince: Date | null;
  readonly activatedBySku: boolean;
  readonly otaUpdated: boolean;
  /** `productmodel` of its record, if known. */
  readonly model: string | null;
  /** The request id and the identifiers that the request named. Payloads begin with them. */
  readonly answered: Answered;
}

/**
 * The result for one device: the payload of its success callback, a fault, or nothing to do. A skipped device gets no
 * callback.
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

/** A device that the request names and no profile has: its position in the request, and its identifiers. */
interface UnknownDevice {
  readonly nth: number;
  readonly ids: readonly DeviceId[];
}

/** An operation that can be requested for many devices. Features define theirs, and `app` passes all of them to the engine. */
export interface CarrierOperation<S extends TSchema = TSchema> {
  /** Stored with each request. Never reuse a name for something else. */
  readonly name: string;
  /** The parameters of the request apart from its devices, as stored with it. */
  readonly body: S;
  /**
   * The kinds of identifiers by which callbacks name devices, if not all. If the request used none of them, callbacks
   * name the device's own.
   */
  readonly callbackKinds?: readonly DeviceIdKind[];
  /** The listener service that gets the results, including failures. */
  readonly serviceName?: ListenerService;
  /** Called first in the transaction of a chunk, before the account, the request and its devices are locked. */
  readonly prepare?: (ctx: Ctx, tenant: Tenant, body: Static<S>) => Promise<void>;
  /**
   * Set if the operation can take devices from other accounts of the caller. `add` stores their names in the body, and
   * `of` reads them. `handle` gets those devices locked, and moves them itself.
   */
  readonly others?: {
    readonly add: (body: Static<S>, accountNames: readonly AccountName[]) => Static<S>;
    readonly of: (body: Static<S>) => readonly AccountName[];
  };
  /** How many of these devices, counted from the first, are worked on at once if that depends on their data; at least one. */
  readonly countFitting?: (
    ctx: Ctx,
    tenant: Tenant,
    body: Static<S>,
    deviceIds: readonly string[],
  ) => Promise<number>;
  /**
   * Called in the transaction of a chunk with at most a thousand devices, each once, locked, and in the order of the
   * request: a limited resource goes to the first devices. Writes set by set, and returns an outcome for every device
   * id.
   */
  readonly handle: (
    ctx: Ctx,
    tenant: Tenant,
    request: WorkedRequest<Static<S>>,
    devices: readonly LockedDevice[],
  ) => Promise<ReadonlyMap<string, Outcome>>;
  /**
   * Set if the operation changes lines, which the network must confirm first. The engine tries such a change and undoes
   * it, orders it, and makes it when it is confirmed. `handle` is therefore called more than once for a device.
   */
  readonly changesLines?: {
    /**
     * Writes what must be the same in the trial and in the change. Called for devices that are about to be held; its
     * writes stay.
     */
    readonly keep?: (ctx: Ctx, tenant: Tenant, devices: readonly LockedDevice[]) => Promise<void>;
  };
  /**
   * Set if unknown identifiers create a new device. Called before `handle` in the same transaction; returns the device
   * ids by position in the request. `handle` then also gets devices that are named by unknown identifiers in addition
   * to their own. Without this function the engine reports such devices as not found or contradicting.
   */
  readonly addDevices?: (
    ctx: Ctx,
    tenant: Tenant,
    request: WorkedRequest<Static<S>>,
    unknown: readonly UnknownDevice[],
  ) => Promise<ReadonlyMap<number, string>>;
}

/** The part of an operation that the code that requests it needs. */
export type AskedOperation<S extends TSchema = TSchema> = Pick<
  CarrierOperation<S>,
  'name' | 'body' | 'addDevices' | 'others'
>;

/** Lines of a request that were settled together. */
export interface SettledLines {
  readonly requestId: string;
  /** `fault`: why a line was not changed. */
  readonly lines: readonly { readonly deviceId: string; readonly fault: DeviceFault | undefined }[];
}

/** Called when lines of a request are settled, in that transaction, after everything about them. */
type OnSettled = (tx: Ctx, tenant: Tenant, settled: SettledLines) => Promise<void>;

/** What the workers on requests need. `app` assembles it. */
export interface Workings {
  readonly operations: ReadonlyMap<string, CarrierOperation>;
  readonly onSettled: readonly OnSettled[];
  readonly limits: RequestLimits;
  /** Present if a network serves the lines. */
  readonly network?: LineNetwork | undefined;
}

export const defineOperation = <S extends TSchema>(operation: CarrierOperation<S>): CarrierOperation<S> =>
  operation;

/** The same for the part that is known without the implementation. */
export const defineAsked = <S extends TSchema, A extends AskedOperation<S>>(
  operation: A & AskedOperation<S>,
): A => operation;
