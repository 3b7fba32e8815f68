import type { WorkJob } from '../carrier-requests/index.ts';
import type { PricePlanFiring, Suspension } from '../price-plan-triggers/index.ts';

/** Also check constraints of the table. */
export const ACTION_KINDS = ['suspend', 'changePlan'] as const;
export const ACTION_STATES = ['waiting', 'running', 'awaitingApproval', 'done', 'failed', 'skipped'] as const;
export type ActionState = (typeof ACTION_STATES)[number];

/** Lines that have left these plans when it is their turn are left alone. */
interface OnPlans {
  readonly planCodes: readonly string[];
}

interface ToPlan extends OnPlans {
  readonly toPlan: string;
  readonly effective: 'CurrentDate' | 'BackDate';
  /** Of what is decided when a cycle closes: the one that closed stays as it is. */
  readonly notBefore?: string;
  /** Of lines that share an allowance: by how many bytes these moves change it, and since when. */
  readonly pool?: { readonly bytes: number; readonly since: string };
}

/** What is done to lines. */
export type Act =
  | { readonly kind: 'suspend'; readonly params: OnPlans & Suspension }
  | { readonly kind: 'changePlan'; readonly params: ToPlan };

/** What firings of one trigger do to lines of one account. */
export interface NewAction {
  readonly actionId: string;
  readonly triggerId: string;
  readonly accountName: string;
  readonly act: Act;
  readonly deviceIds: readonly string[];
  readonly state: 'waiting' | 'awaitingApproval' | 'skipped';
  readonly reason: string | undefined;
  readonly approvableTo: Date;
  /** Null: it follows from usage, or from the end of a cycle. */
  readonly chainId: string | null;
  readonly wantedBy: readonly { readonly firingId: string; readonly deviceId: string | null }[];
}

export interface ActingDeps {
  /** Works on the requests that actions become. */
  readonly workJob: WorkJob;
}

export interface ActionPolicy extends ActingDeps {
  /** A firing that would touch more devices waits until somebody approves it. */
  readonly devicesMax: number;
}

export const SKIPPED = {
  late: 'The cycle had closed when the usage arrived: you are notified of late usage, and nothing else is done',
  paused: 'Actions of triggers were paused by the operator',
  noLine: 'There was no line to act upon',
  unapproved: 'The cycle ended before somebody approved it',
  left: 'The line was no longer active on the plan',
  moved: 'The plan of the line was changed by what this follows from, and is not changed again',
} as const;

/** A firing at the end of its cycle is about the cycle that begins. */
export function approvableTo({ cycle: { from, to }, firedAt }: PricePlanFiring): Date {
  return firedAt < to ? to : new Date(2 * to.getTime() - from.getTime());
}
