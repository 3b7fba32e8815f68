/**
 * Which lines a body names: slow and obvious code that shares nothing with the service. It knows the operations that
 * change many lines, and decides for any body over their members which lines it names, or that it must be refused.
 */

export interface Line {
  readonly imei: string;
  readonly iccid: string;
  readonly accountName: string;
  readonly state: string;
  readonly plan: string;
}

export type Body = Readonly<Record<string, unknown>>;

interface Naming {
  readonly path: string;
  readonly methods: readonly string[];
  /** Members that every body must have, whatever lines it names. */
  readonly rest: Body;
  /** The members that a body without a list may have. Undefined: a list is required. */
  readonly withoutList?: {
    readonly needs: readonly string[];
    readonly may: readonly string[];
    readonly plan: string;
    readonly states: readonly string[];
  };
  readonly lists: readonly string[];
  /** Groups and custom fields select no lines here and are ignored. */
  readonly ignoresGroups?: boolean;
  /** A plan here is the target and does not select lines. */
  readonly target?: boolean;
}

const LISTS = ['devices', 'deviceList', 'deviceIds'];
const ACCOUNT_OR_PLAN = { needs: ['accountName'], may: ['accountName', 'servicePlan'], plan: 'servicePlan' };

export const OPERATIONS: Readonly<Record<string, Naming>> = {
  activate: {
    path: '/m2m/v1/devices/actions/activate',
    methods: ['POST'],
    rest: { servicePlan: 'P-A', mdnZipCode: '76051' },
    lists: LISTS,
    ignoresGroups: true,
    target: true,
  },
  deactivate: {
    path: '/m2m/v1/devices/actions/deactivate',
    methods: ['POST'],
    rest: { reasonCode: 'FF' },
    lists: LISTS,
  },
  suspend: {
    path: '/m2m/v1/devices/actions/suspend',
    methods: ['POST'],
    rest: {},
    lists: LISTS,
    withoutList: { ...ACCOUNT_OR_PLAN, may: [...ACCOUNT_OR_PLAN.may, 'withBilling'], states: ['active'] },
  },
  restore: {
    path: '/m2m/v1/devices/actions/restore',
    methods: ['POST'],
    rest: {},
    lists: LISTS,
    withoutList: { ...ACCOUNT_OR_PLAN, may: [...ACCOUNT_OR_PLAN.may, 'withBilling'], states: ['suspend'] },
  },
  'suspension status': {
    path: '/m2m/v1/devices/suspension/status',
    methods: ['POST'],
    rest: {},
    lists: LISTS,
    withoutList: { ...ACCOUNT_OR_PLAN, states: ['pre-active', 'active', 'suspend', 'deactive'] },
  },
  'plan change': {
    path: '/m2m/v1/devices/actions/plan',
    methods: ['PUT', 'POST'],
    rest: { servicePlan: 'P-B' },
    lists: [...LISTS, 'deviceListWithServiceAddress'],
    target: true,
    withoutList: {
      needs: ['accountName', 'currentServicePlan'],
      may: ['accountName', 'servicePlan', 'currentServicePlan', 'carrierIpPoolName', 'takeEffect'],
      plan: 'currentServicePlan',
      states: ['active'],
    },
  },
};

const SELECTING = ['servicePlan', 'currentServicePlan', 'groupName', 'customFields'];

const isNothing = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

interface Id {
  readonly id: string;
  readonly kind: string;
}

/** The identifiers of an entry; undefined if it is not one. */
function idsOf(entry: unknown, list: string): readonly Id[] | undefined {
  const { id, kind, deviceIds, deviceId } = entry as Record<string, unknown>;
  const single = typeof id === 'string' && typeof kind === 'string' ? [{ id, kind }] : undefined;
  if (list === 'deviceIds') return single;
  const many = list === 'deviceListWithServiceAddress' && deviceIds === undefined ? deviceId : deviceIds;
  if (many === undefined) return list === 'deviceListWithServiceAddress' ? undefined : single;
  return Array.isArray(many) && many.length > 0 ? (many as Id[]) : undefined;
}

const hasAll = (line: Line, ids: readonly Id[]): boolean =>
  ids.every(({ id, kind }) => (kind === 'imei' ? line.imei : line.iccid) === id);

/** The IMEIs of the account's lines that the body names, or `refused`. `own` is the session's account. */
export function linesNamedBy(
  { lists, withoutList, ignoresGroups = false, target = false }: Naming,
  body: Body,
  fleet: readonly Line[],
  own: string,
): ReadonlySet<string> | 'refused' {
  const lines = fleet.filter(({ accountName }) => accountName === own);
  for (const name of [...lists, ...SELECTING]) if (name in body && isNothing(body[name])) return 'refused';
  if (!ignoresGroups && ('groupName' in body || 'customFields' in body)) return 'refused';

  const given = lists.filter((name) => name in body);
  if (given.length > 1) return 'refused';
  const [list] = given;
  if (list !== undefined) {
    if (!target && 'servicePlan' in body) return 'refused';
    const entries = (body[list] as unknown[]).map((entry) => idsOf(entry, list));
    if (entries.some((ids) => ids === undefined)) return 'refused';
    const named = lines.filter((line) => entries.some((ids) => hasAll(line, ids!)));
    const current = withoutList?.plan === 'currentServicePlan' ? body['currentServicePlan'] : undefined;
    if (current !== undefined && !named.some(({ plan }) => plan === current)) return 'refused';
    return new Set(named.map(({ imei }) => imei));
  }

  if (withoutList === undefined) return 'refused';
  const { needs, may, plan, states } = withoutList;
  if (Object.keys(body).some((name) => !may.includes(name))) return 'refused';
  if (needs.some((name) => body[name] === undefined || body[name] === null)) return 'refused';
  const meant = lines
    .filter(({ state }) => states.includes(state))
    .filter((line) => body[plan] === undefined || line.plan === body[plan]);
  return meant.length === 0 ? 'refused' : new Set(meant.map(({ imei }) => imei));
}
