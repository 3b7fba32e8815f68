import type { DeviceState } from '../devices/index.ts';
import type { LineIds, LineThere, WantedState } from './port.ts';

/** Why a line is ordered: a change waits for the confirmation, or the network follows a change already made. */
export type OrderCause = 'request' | 'resume' | 'follow' | 'back' | 'repair';

/** The state that an element should have for a line. */
export interface WantedLine extends LineIds {
  readonly deviceId: string;
  readonly accountName: string;
  readonly wanted: WantedState;
  readonly plan?: string;
}

/** An element that serves a line. */
export interface Route {
  readonly element: string;
  /** Notified after the line has changed; the change does not wait for it. */
  readonly afterwards: boolean;
  /** The order is not carried out before this delay has passed. */
  readonly delayMs?: number;
}

/** The columns of a device that a network needs. */
export interface NetworkLine {
  readonly deviceId: string;
  readonly accountName: string;
  readonly state: DeviceState;
  readonly servicePlan: string | null;
  readonly imsi: string | null;
  readonly msisdn: string | null;
  readonly mdn: string | null;
  readonly imei: string | null;
  readonly iccid: string | null;
}

const WANTED: Readonly<Record<DeviceState, WantedState>> = {
  'pre-active': 'gone',
  active: 'active',
  suspend: 'suspended',
  deactive: 'gone',
};

/** The country code of numbers that are ten digits long. */
const COUNTRY = '1';

/** The state that the network should have for the line; undefined if no element could know the line. */
export function wantedOf(line: NetworkLine): WantedLine | undefined {
  const { deviceId, accountName, state, servicePlan, imsi, msisdn, mdn, imei, iccid } = line;
  if (imsi === null) return undefined;
  const wanted = WANTED[state];
  const number = msisdn ?? (mdn === null ? null : `${COUNTRY}${mdn}`);
  return {
    deviceId,
    accountName,
    imsi,
    ...(number !== null && { msisdn: number }),
    ...(imei !== null && { imei }),
    ...(iccid !== null && { iccid }),
    wanted,
    ...(wanted === 'active' && servicePlan !== null && { plan: servicePlan }),
  };
}

export const goneFrom = (line: WantedLine): WantedLine => {
  const { plan: _, ...rest } = line;
  return { ...rest, wanted: 'gone' };
};

/** What an element can hold of a line beside its state. */
const HELD = ['msisdn', 'imei', 'iccid', 'plan'] as const;

/** Whether both require the same of an element. */
export const isSame = (a: WantedLine | undefined, b: WantedLine | undefined): boolean =>
  a?.imsi === b?.imsi &&
  a?.wanted === b?.wanted &&
  (a?.wanted === 'gone' || HELD.every((name) => a?.[name] === b?.[name]));

const isNone = (state: LineThere['state']): boolean => state === 'gone' || state === 'unknown';

/**
 * How a line here and on an element differ, in words; undefined if they agree. Compares what both have. An element
 * need not know a deleted line, whose state here is `unknown`.
 */
export function differenceOf(
  line: Pick<WantedLine, 'wanted' | (typeof HELD)[number]>,
  there: LineThere,
  state: LineThere['state'] = line.wanted,
): { readonly here: string; readonly there: string } | undefined {
  const isAlike = state === there.state || (isNone(state) && isNone(there.state));
  const names = isNone(state) || isNone(there.state) ? [] : HELD;
  const differing = names.filter(
    (name) => line[name] != null && there[name] !== undefined && there[name] !== line[name],
  );
  if (isAlike && differing.length === 0) return undefined;
  return {
    here: [state, ...differing.map((name) => `${name} ${line[name]}`)].join(', '),
    there: [there.state, ...differing.map((name) => `${name} ${there[name] ?? 'none'}`)].join(', '),
  };
}

const PAUSE_FIRST_MS = 1_000;
const PAUSE_MAX_MS = 30_000;

/** The delay before the next try; `attempts` includes the one that has just failed. */
export const pauseMs = (attempts: number): number =>
  Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** Math.min(10, Math.max(0, attempts - 1)));
