import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { recordFaults } from '../errors.ts';
import type { Criterion } from './criterion.ts';
import type { RecordKind } from './fields.ts';
import { type Page, type Question, readPage } from './page.ts';
import { type Expansion, readExpand } from './read-expand.ts';
import { readIdentifiers } from './read-identifiers.ts';
import { readSelection } from './read-selection.ts';
import type { QueryBody } from './schemas.ts';

/** A query as it was understood. */
export interface RecordQuery {
  readonly kind: RecordKind;
  readonly criteria: readonly Criterion[];
  /** Of the device that a rule is on. */
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

/** Undefined: all fields. */
export const readProjection = (names: readonly string[] = []): ReadonlySet<string> | undefined =>
  names.length === 0 ? undefined : new Set(names);

/** Refuses what cannot be understood. Users are asked for by a filter alone, and by none for all of them. */
export function readQuery(ctx: Ctx, tenant: Tenant, kind: RecordKind, body: QueryBody): RecordQuery {
  const { filter = {} } = body;
  const wanted = readIdentifiers(kind, kind === 'user' ? {} : body.resourceidentifier);
  const named = wanted.own.length + wanted.ofDevice.length > 0;
  if (kind !== 'user' && body.filter === undefined && !named)
    refuse(recordFaults.identifierMissing, { cause: 'resourceidentifier' });
  const asked = {
    kind,
    criteria: [...wanted.own, ...readSelection(tenant.accountName, kind, filter.$selection)],
    ofDevice: wanted.ofDevice,
  };
  return {
    ...asked,
    projection: readProjection(filter.$projection),
    expand: readExpand(kind, filter.$expand),
    page: readPage(ctx, tenant, questionOf(asked), filter),
  };
}
