import { type Static, Type } from 'typebox';
import type { Tenant } from '../../../platform/context/context.ts';
import { type Query, sql } from '../../../platform/db/sql.ts';
import { DEVICE_STATES, isConnected } from '../../devices/index.ts';

export const FilterQuery = Type.Object({
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  state: Type.Optional(Type.Enum([...DEVICE_STATES])),
  plan: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  label: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 301,
      description: 'The name of a label, or name=value',
    }),
  ),
  online: Type.Optional(
    Type.Boolean({ description: 'Whether active lines are connected; other lines never match' }),
  ),
});

export type DeviceFilter = Omit<Static<typeof FilterQuery>, 'search'>;

export const literal = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/** Splits at the last equals sign: names may contain one, as in a unit, but values are numbers and plates. */
function hasLabel(label: string): Query {
  const at = label.lastIndexOf('=');
  const asked = at <= 0 ? { name: label } : { name: label.slice(0, at), value: label.slice(at + 1) };
  return sql`d.labels @> ${JSON.stringify([asked])}::jsonb`;
}

const isOnline = (tenant: Tenant, online: boolean): Query =>
  sql`d.state = 'active' and (${isConnected(tenant)}) = ${online}`;

/** Conditions on the device `d`. */
export const conditionsOf = (
  tenant: Tenant,
  { state, plan, label, online }: DeviceFilter,
): readonly Query[] => [
  ...(state === undefined ? [] : [sql`d.state = ${state}`]),
  ...(plan === undefined ? [] : [sql`d.service_plan = ${plan}`]),
  ...(label === undefined ? [] : [hasLabel(label)]),
  ...(online === undefined ? [] : [isOnline(tenant, online)]),
];
