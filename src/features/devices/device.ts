import type { DeviceIdKind } from '../../kernel/device-id.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';

export const DEVICE_KINDS = ['device', 'gateway', 'sensor'] as const;
export const DEVICE_STATES = ['pre-active', 'active', 'suspend', 'deactive'] as const;
export type DeviceState = (typeof DEVICE_STATES)[number];

/** How the simulated network treats a device. */
export interface Simulation {
  readonly online?: boolean;
  readonly position?: { readonly lat: number; readonly lon: number; readonly radius?: number };
  readonly error?: string | null;
  readonly delayMs?: number;
  /** How the network treats orders for the line. */
  readonly orders?: SimulatedOrders;
}

/** How the simulated network treats orders: it delays them, refuses them with this reason, or does not answer. */
export interface SimulatedOrders {
  readonly delayMs?: number;
  readonly refusal?: string;
  readonly silent?: boolean;
}

/** The key of a device, which every statement about it names. */
export interface DeviceKey extends Tenant {
  readonly deviceId: string;
}

export interface DeviceOnPlan extends DeviceKey {
  readonly servicePlan: string | null;
  readonly planSinceMs: number | null;
}

/** A device as the fleet document has it. */
export type FleetDevice = Readonly<
  {
    accountName: string;
    kind: (typeof DEVICE_KINDS)[number];
    state: DeviceState;
    servicePlan: string | null;
    planSince: Date | null;
    iot: boolean;
    activatedBySku: boolean;
    otaUpdated: boolean;
    nodeUuid: string | null;
    labels: readonly { name: string; value: string }[];
    record: Readonly<Record<string, unknown>> & { readonly id: string };
    simulation: Simulation;
  } & { [K in DeviceIdKind]: string | null }
>;

/**
 * Deletes what later features store about devices. `app` passes it to the code that deletes devices, which calls it in
 * its transaction after it has locked them.
 */
export type BeforeDeletion = (tx: Ctx, tenant: Tenant, deviceIds: readonly string[]) => Promise<unknown>;
