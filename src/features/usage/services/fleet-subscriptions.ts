import { type Static, Type } from 'typebox';
import { IsDate } from 'typebox/format';
import { spellSkuName } from '../../../kernel/sku-name.ts';
import { sql } from '../../../platform/db/sql.ts';
import { tableSection } from '../../../platform/fleet-document/table-section.ts';
import { METERED_SERVICES } from './subscription.ts';

const Entry = Type.Object(
  {
    accountName: Type.String(),
    serviceName: Type.Enum([...METERED_SERVICES]),
    skuName: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    since: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}$' })),
    allowance: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  },
  { additionalProperties: false },
);
type Entry = Static<typeof Entry>;

export const subscriptionsSection = tableSection({
  name: 'subscriptions',
  tenant: 'account',
  entry: Entry,
  check: ({ since }: Entry) =>
    since === undefined || IsDate(since) ? [] : [{ path: '/since', detail: 'is not a date' }],
  prepare: (_ctx, entry: Entry) =>
    entry.skuName === undefined ? entry : { ...entry, skuName: spellSkuName(entry.skuName) },
  table: 'subscription',
  key: ['accountName', 'serviceName'],
  columns: { since: { type: 'date', absent: (now) => sql`${now.toISOString().slice(0, 10)}::date` } },
  needed: ['skuName'],
});
