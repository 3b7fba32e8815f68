import type { WorkJob } from '../carrier-requests/index.ts';
import type { PricePlanFiring, Suspension } from '../price-plan-triggers/index.ts';

/** The table's check constraints list these values too. */
export const ACTION_KINDS = ['suspend', 'changePlan'] as const;
export const ACTION_STATES = [
  'waiting',
  'running',
  'awaitingApproval',
  'done',
  'failed',
  'skipped',
  'dropped',
  'expired',
] as const;
export type ActionState = (typeof ACTION_STATES)[number];

/** Lines that have left these plans when the action starts are skipped. */
interface OnPlans {
  readonly planCodes: readonly string[];
}

interface ToPlan extends OnPlans {
  readonly toPlan: string;
  readonly effective: 'CurrentDate' | 'BackDate';
  /** For a move decided when a cycle closes: usage of the closed cycle is not moved. */
  readonly notBefore?: string;
  /** For lines that share an allowance: by how many bytes these moves change it, and since when. */
  readonly pool?: { readonly bytes: number; readonly since: string };
}

/** What is done to lines. */
export type Act =
  | { readonly kind: 'suspend'; readonly params: OnPlans & Suspension }
  | { readonly kind: 'changePlan'; readonly params: ToPlan };

/** One action: what firings of one trigger do to lines of one account. */
export interface NewAction {
  readonly actionId: string;
  readonly triggerId: string;
  readonly accountName: string;
  readonly act: Act;
  readonly deviceIds: readonly string[];
  readonly state: 'waiting' | 'awaitingApproval' | 'skipped';
  readonly reason: string | undefined;
  readonly approvableTo: Date;
  /** Null: caused by usage or by the end of a cycle. */
  readonly chainId: string | null;
  readonly wantedBy: readonly { readonly firingId: string; readonly deviceId: string | null }[];
}

export interface ActingDeps {
  /** Works on the requests that carry out actions. */
  readonly workJob: WorkJob;
}

export interface ActionPolicy extends ActingDeps {
  /** A firing that would affect more devices waits for approval. */
  readonly devicesMax: number;
}

export const SKIPPED = {
  late: 'The cycle had closed when the usage arrived: late usage is only notified',
  paused: 'Actions of triggers were paused by the operator',
  noLine: 'There was no line to act on',
  unapproved: 'The cycle ended before anyone approved it',
  left: 'The line was no longer active on the plan',
  moved: 'The plan of the line was already changed in this chain of actions, and is not changed again',
} as const;

/** Why the lines of an action that have not started do not start any more. */
export const DROPPED = {
  deleted: 'The trigger was deleted before the action began',
  off: 'The trigger was switched off before the action began',
  edited: 'The action of the trigger was changed before it began',
} as const;

/** An action whose lines could not be reported or started, however often. */
export const FAILED = 'It could not be carried out because of an unexpected error';

/** A firing at the end of its cycle can be approved until the next cycle ends. */
export function approvableTo({ cycle: { from, to }, firedAt }: PricePlanFiring): Date {
  return firedAt < to ? to : new Date(2 * to.getTime() - from.getTime());
}
