import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { recordFaults } from '../errors.ts';
import type { Criterion, RecordKind } from './fields.ts';
import { type Page, type Question, readPage } from './page.ts';
import { parseIdentifiers } from './parse-identifiers.ts';
import { parseSelection } from './parse-selection.ts';
import type { QueryBody } from './schemas.ts';

/** Records that can be expanded in another: the gateway of a sensor, the sensors of a gateway. */
type Expansion = 'parentdevice' | 'sensors';

const NAMES: Readonly<Record<string, Expansion>> = {
  parent: 'parentdevice',
  parentdevice: 'parentdevice',
  parentdeviceid: 'parentdevice',
  gateway: 'parentdevice',
  sensors: 'sensors',
  sensor: 'sensors',
  childsensors: 'sensors',
  children: 'sensors',
};

/** Users and rules are not part of another record. */
const NOT_DEVICES: readonly RecordKind[] = ['user', 'rule'];

export const parseExpand = (kind: RecordKind, text = ''): ReadonlySet<Expansion> =>
  new Set(
    text
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== '')
      .map((name) => {
        const known = Object.hasOwn(NAMES, name) && !NOT_DEVICES.includes(kind) ? NAMES[name] : undefined;
        return known ?? refuse(recordFaults.badExpand, { reason: name, cause: 'filter.$expand' });
      }),
  );

/** A parsed query. */
export interface RecordQuery {
  readonly kind: RecordKind;
  readonly criteria: readonly Criterion[];
  /** Criteria for the device of a rule. */
  readonly ofDevice: readonly Criterion[];
  readonly projection: ReadonlySet<string> | undefined;
  readonly expand: ReadonlySet<Expansion>;
  readonly page: Page;
}

export const questionOf = ({
  kind,
  criteria,
  ofDevice,
}: Pick<RecordQuery, 'kind' | 'criteria' | 'ofDevice'>): Question => ({
  of: kind,
  criteria: [criteria, ofDevice],
});

/** Undefined for all fields. */
export const parseProjection = (names: readonly string[] = []): ReadonlySet<string> | undefined =>
  names.length === 0 ? undefined : new Set(names);

/** Refuses invalid queries. Users are selected by a filter only; without one, all of them match. */
export function parseQuery(ctx: Ctx, tenant: Tenant, kind: RecordKind, body: QueryBody): RecordQuery {
  const { filter = {} } = body;
  const wanted = parseIdentifiers(kind, kind === 'user' ? {} : body.resourceidentifier);
  const named = wanted.own.length + wanted.ofDevice.length > 0;
  if (kind !== 'user' && body.filter === undefined && !named)
    refuse(recordFaults.identifierMissing, { cause: 'resourceidentifier' });
  const asked = {
    kind,
    criteria: [...wanted.own, ...parseSelection(tenant.accountName, kind, filter.$selection)],
    ofDevice: wanted.ofDevice,
  };
  return {
    ...asked,
    projection: parseProjection(filter.$projection),
    expand: parseExpand(kind, filter.$expand),
    page: readPage(ctx, tenant, questionOf(asked), filter),
  };
}
