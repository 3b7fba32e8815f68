import type { Answer, Query } from '../../../sdk/index.ts';
import { call } from './client.ts';
import type { DeviceRef } from './devices.ts';

const LINES = 'GET /m2m/v1/accounts/{accountName}/requests/{requestId}/devices';

/** The device fields needed to change and to name its line. */
export interface Line {
  readonly deviceId: string;
  readonly name: string | null;
  readonly state: string;
  readonly ids: readonly DeviceRef[];
}

/** The actions on many lines. */
export type LineAction =
  | { readonly kind: 'activate'; readonly servicePlan: string; readonly zip: string }
  | { readonly kind: 'suspend'; readonly withBilling: boolean | undefined }
  | { readonly kind: 'restore' }
  | { readonly kind: 'deactivate'; readonly deletes: boolean }
  | { readonly kind: 'plan'; readonly servicePlan: string }
  | { readonly kind: 'locate'; readonly precise: boolean }
  | { readonly kind: 'consent'; readonly level: number }
  | { readonly kind: 'exclude' }
  | { readonly kind: 'allow' }
  | { readonly kind: 'label'; readonly name: string; readonly value: string | null };
export type ActionKind = LineAction['kind'];

/** The service's answer to a part: a request to track, a report to open, or a sentence. */
export type Sent =
  | { readonly requestId: string }
  | { readonly report: string }
  | { readonly said: string; readonly problems?: readonly string[] };

export type RequestLines = Answer<typeof LINES>;
export type RequestLine = RequestLines['lines'][number];
export type LineState = NonNullable<Query<typeof LINES>['state']>;

/** Most devices located while the user waits. */
export const LOCATED_AT_ONCE = 20;
const PART_MAX = 10_000;
/** They are part of an address, whose length is limited. */
const ALLOWED_PART = 100;
/** The size limit of an exclusion list. */
const EXCLUDED_PART = 2_000;

export const partSize = (kind: ActionKind): number =>
  kind === 'allow' ? ALLOWED_PART : kind === 'exclude' ? EXCLUDED_PART : PART_MAX;

/** IMEI and ICCID, in this order, by which carriers identify a line; any identifier if it has neither. */
export function carrierIds({ ids }: Line): DeviceRef[] {
  const known = ['imei', 'iccid'].flatMap((kind) => ids.filter((id) => id.kind === kind));
  return known.length > 0 ? known : ids.slice(0, 1);
}

const LOCATED_BY = ['imei', 'meid', 'esn'];
/** The location service accepts only these identifiers. */
export const equipmentId = ({ ids }: Line): DeviceRef | undefined =>
  LOCATED_BY.flatMap((kind) => ids.filter((id) => id.kind === kind))[0];

const CARRIER = {
  activate: 'POST /m2m/v1/devices/actions/activate',
  suspend: 'POST /m2m/v1/devices/actions/suspend',
  restore: 'POST /m2m/v1/devices/actions/restore',
  deactivate: 'POST /m2m/v1/devices/actions/deactivate',
  plan: 'PUT /m2m/v1/devices/actions/plan',
} as const;

const sayCount = (n: number, what: string): string => `${n.toLocaleString('en')} ${what}`;

async function locate(
  accountName: string,
  deviceList: readonly DeviceRef[],
  precise: boolean,
  idempotencyKey: string,
): Promise<Sent> {
  const accuracyMode = precise ? '1' : '0';
  if (deviceList.length > LOCATED_AT_ONCE) {
    const { txid } = await call('POST /loc/v1/locationreports', {
      body: { accountName, accuracyMode, cacheMode: '1', deviceList },
      idempotencyKey,
    });
    return { report: txid };
  }
  const entries = await call('POST /loc/v1/locations', {
    body: { accountName, accuracyMode, cacheMode: '1', deviceList },
  });
  const problems = entries.flatMap(({ msid, error }) =>
    error.type === undefined ? [] : [`${msid}: ${error.info ?? error.type}`],
  );
  const found = entries.length - problems.length;
  return { said: `${sayCount(found, found === 1 ? 'line was' : 'lines were')} located.`, problems };
}

const equipmentOf = (lines: readonly Line[]): DeviceRef[] => lines.flatMap((line) => equipmentId(line) ?? []);

/** Sends one part. Repeating it with the same key has no effect. */
export async function sendLines(
  accountName: string,
  action: LineAction,
  lines: readonly Line[],
  idempotencyKey: string,
): Promise<Sent> {
  const devices = lines.map((line) => ({ deviceIds: carrierIds(line) }));
  const named = { accountName, devices };
  const equipment = equipmentOf(lines);
  const done = `${sayCount(equipment.length, equipment.length === 1 ? 'line' : 'lines')}: done.`;
  switch (action.kind) {
    case 'activate': {
      const { servicePlan, zip: mdnZipCode } = action;
      return call(CARRIER.activate, { body: { ...named, servicePlan, mdnZipCode }, idempotencyKey });
    }
    case 'suspend': {
      const { withBilling } = action;
      return call(CARRIER.suspend, { body: { ...named, withBilling }, idempotencyKey });
    }
    case 'restore':
      return call(CARRIER.restore, { body: named, idempotencyKey });
    case 'deactivate': {
      const { deletes: deleteAfterDeactivation } = action;
      return call(CARRIER.deactivate, {
        body: { ...named, reasonCode: 'FF', deleteAfterDeactivation },
        idempotencyKey,
      });
    }
    case 'plan':
      return call(CARRIER.plan, { body: { ...named, servicePlan: action.servicePlan }, idempotencyKey });
    case 'locate':
      return locate(accountName, equipment, action.precise, idempotencyKey);
    case 'consent': {
      const deviceList = equipment.map((id) => ({ ...id, consent: action.level }));
      await call('POST /loc/v1/devicelocations/action/consents', {
        body: { accountName, deviceList },
        idempotencyKey,
      });
      return { said: done };
    }
    case 'exclude': {
      const exclusion = equipment.map(({ id }) => id);
      await call('POST /loc/v1/consents', {
        body: { accountName, type: 'append', exclusion },
        idempotencyKey,
      });
      return { said: done };
    }
    case 'allow': {
      const deviceList = equipment.map(({ id }) => id).join(',');
      await call('DELETE /loc/v1/consents', { query: { accountName, deviceList }, idempotencyKey });
      return { said: done };
    }
    case 'label': {
      // Needs no key, because an existing label is not written again.
      const deviceIds = lines.map(({ deviceId }) => deviceId);
      const { name, value } = action;
      const { changed } = await call('POST /console/v1/accounts/{accountName}/devices/labels', {
        path: { accountName },
        body: { deviceIds, name, value },
      });
      return {
        said: `${sayCount(changed, changed === 1 ? 'line was' : 'lines were')} changed; the others already had this value.`,
      };
    }
  }
}

/** The lines of devices: all, or none if one part fails. */
export async function listLines(
  accountName: string,
  deviceIds: readonly string[],
  signal: AbortSignal,
): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (let from = 0; from < deviceIds.length; from += PART_MAX) {
    const part = await call('POST /console/v1/accounts/{accountName}/devices/lines', {
      path: { accountName },
      body: { deviceIds: deviceIds.slice(from, from + PART_MAX) },
      signal,
    });
    for (const line of part.lines) lines.push(line);
  }
  return lines;
}

export const readRequestLines = (
  accountName: string,
  requestId: string,
  query: Query<typeof LINES>,
  signal?: AbortSignal,
) => call(LINES, { path: { accountName, requestId }, query, signal });

const FAILED_PAGE = 200;

/** The refused lines of a request, ready for a retry. */
export async function listFailedLines(accountName: string, requestId: string): Promise<Line[]> {
  const failed: Line[] = [];
  let after: number | undefined;
  do {
    const page: RequestLines = await readRequestLines(accountName, requestId, {
      ...{ state: 'failed', after, limit: FAILED_PAGE },
    });
    for (const { deviceId, name, ids } of page.lines)
      if (deviceId !== null) failed.push({ deviceId, name, ids, state: 'unknown' });
    after = page.next;
  } while (after !== undefined);
  return failed;
}

export const renameDevice = (accountName: string, id: string, name: string) =>
  call('PATCH /dm/v1/devices', { body: { accountname: accountName, id, device: { name } } });

export const listServicePlans = (accountName: string, signal?: AbortSignal) =>
  call('GET /m2m/v1/plans/{accountName}', { path: { accountName }, signal });
