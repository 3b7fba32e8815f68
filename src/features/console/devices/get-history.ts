import { listFieldChanges } from '../../../platform/context/audit.ts';
import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import type { NewestFirst } from '../../../platform/db/newest-first.ts';
import { listCallbacksAbout, listOutcomes } from '../../callbacks/index.ts';
import { listRequestsOfDevice } from '../../carrier-requests/index.ts';
import { listConsentChanges } from '../../consents/index.ts';
import { listFiringsOfDevice } from '../../firings/index.ts';
import { listUnfollowedByDevice } from '../../network/index.ts';
import { listAlertMoments } from '../../smart-alerts/index.ts';

/** Events of the same moment are in the order of their kinds. */
export const HISTORY_KINDS = [
  'change',
  'request',
  'firing',
  'alert',
  'consent',
  'callback',
  'network',
] as const;
export type HistoryKind = (typeof HISTORY_KINDS)[number];

interface Event {
  readonly key: string;
  readonly at: Date;
  /** What happened, in the word of its kind. */
  readonly what: string;
  readonly by?: string | null;
  readonly text?: string | null;
  readonly state?: string;
  readonly level?: number | null;
  readonly requestId?: string;
  readonly messageId?: string;
  readonly fields?: readonly {
    readonly name: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
  readonly firing?: Awaited<ReturnType<typeof listFiringsOfDevice>>[number];
  readonly callback?: Pick<Awaited<ReturnType<typeof listOutcomes>>[number], 'messageId' | 'state'>;
}

interface Subject {
  readonly ctx: Ctx;
  readonly tenant: Tenant;
  readonly deviceId: string;
  /** When it came to the account. Earlier events belong to another account. */
  readonly since: Date;
}
type Source = (subject: Subject, page: NewestFirst) => Promise<readonly Event[]>;

/** For larger requests it does not read all callbacks to find that of one line. */
const LINES_READ_MAX = 1_000;

const listRequests: Source = async ({ ctx: { db }, tenant, deviceId }, page) => {
  const requests = await listRequestsOfDevice(db, tenant, deviceId, page);
  const few = requests.filter(({ deviceCount }) => deviceCount <= LINES_READ_MAX);
  const ids = [...new Set(few.flatMap((request) => request.ids.map(({ id }) => id)))];
  const outcomes =
    few.length === 0
      ? []
      : await listOutcomes(
          db,
          tenant,
          few.map(({ requestId }) => requestId),
          ids,
        );
  const first = new Map(outcomes.toReversed().map((outcome) => [outcome.requestId, outcome]));
  return requests.map(({ requestId, operation, state, reason, createdAt, createdBy }) => {
    const callback = first.get(requestId);
    return {
      ...{ key: requestId, at: createdAt, what: operation, by: createdBy, text: reason, state, requestId },
      ...(callback && { callback: { messageId: callback.messageId, state: callback.state } }),
    };
  });
};

const SOURCES: Readonly<Record<HistoryKind, Source>> = {
  change: async ({ ctx: { db }, tenant, deviceId, since }, page) =>
    (await listFieldChanges(db, tenant, { target: deviceId, since }, page)).map(
      ({ key, at, actor, action, fields }) => ({ key, at, what: action, by: actor, fields }),
    ),
  request: listRequests,
  firing: async ({ ctx: { db }, tenant, deviceId }, page) =>
    (await listFiringsOfDevice(db, tenant, deviceId, page)).map((firing) => ({
      ...{ key: firing.firingId, at: firing.firedAt, what: firing.kind, firing },
    })),
  alert: async ({ ctx: { db }, tenant, deviceId }, page) =>
    (await listAlertMoments(db, tenant, deviceId, page)).map(
      ({ key, at, happened, ruleName, message, by, reason }) => ({
        ...{ key, at, by, what: happened, text: [ruleName, reason ?? message].filter(Boolean).join(': ') },
      }),
    ),
  consent: async ({ ctx: { db }, tenant, deviceId, since }, page) =>
    (await listConsentChanges(db, { ...tenant, deviceId }, since, page)).map(
      ({ key, at, actor, change, level }) => ({ key, at, what: change, by: actor, level }),
    ),
  callback: async ({ ctx: { db }, tenant, deviceId }, page) =>
    (await listCallbacksAbout(db, tenant, deviceId, page)).map(
      ({ messageId, requestId, createdAt, serviceName, state }) => ({
        ...{ key: messageId, at: createdAt, what: serviceName, state, requestId, messageId },
      }),
    ),
  network: async ({ ctx: { db }, tenant, deviceId, since }, page) =>
    (await listUnfollowedByDevice(db, tenant, { deviceId, since }, page)).map(
      ({ key, at, element, wanted, state, reason, requestId }) => ({
        ...{ key, at, what: wanted, state, text: `${element}: ${reason}` },
        ...(requestId !== null && { requestId }),
      }),
    ),
};

/** Where a page ended. */
export interface HistoryMark {
  readonly at: Date;
  readonly kind: HistoryKind;
  readonly key: string;
}

const LATEST = new Date('9999-12-31T00:00:00Z');
/** Above and below all keys, which have only digits, letters, dashes and spaces. */
const ALL = '~';
const NONE = '';

/** The key up to which a source still has events of the mark's own moment. */
const keyFor = (kind: HistoryKind, mark: HistoryMark | undefined): string => {
  if (mark === undefined) return ALL;
  const order = HISTORY_KINDS.indexOf(kind) - HISTORY_KINDS.indexOf(mark.kind);
  return order === 0 ? mark.key : order > 0 ? ALL : NONE;
};

/** Everything that happened to a device in its account, newest first. Reads each source by its index, at most a page. */
export async function getHistory(
  subject: Subject,
  {
    kinds,
    mark,
    limit,
  }: {
    readonly kinds: readonly HistoryKind[];
    readonly mark: HistoryMark | undefined;
    readonly limit: number;
  },
) {
  const found: (Event & { readonly kind: HistoryKind })[] = [];
  for (const kind of HISTORY_KINDS.filter((one) => kinds.includes(one))) {
    const page = { at: mark?.at ?? LATEST, key: keyFor(kind, mark), limit };
    found.push(...(await SOURCES[kind](subject, page)).map((event) => ({ ...event, kind })));
  }
  // Sorting is stable: events of the same moment stay in the order of kinds and keys.
  const events = found.toSorted((a, b) => b.at.getTime() - a.at.getTime()).slice(0, limit);
  const last = events.at(-1);
  return { events, next: events.length === limit ? last : undefined };
}
