import { type Static, Type } from 'typebox';
import { ACCOUNT_NAME_PATTERN } from '../../kernel/account-name.ts';
import { MAIL_ADDRESS_PATTERN } from '../../kernel/mail-address.ts';
import type { Ctx } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import type { FleetSection } from '../../platform/fleet-document/section.ts';
import { tableSection } from '../../platform/fleet-document/table-section.ts';
import { stagedOf } from '../../platform/fleet-document/verify-entries.ts';
import { isTimeZone } from './account.ts';

const Entry = Type.Object(
  {
    accountName: Type.String({ pattern: ACCOUNT_NAME_PATTERN }),
    ecpdId: Type.Optional(Type.String({ description: 'An existing account keeps its profile' })),
    organizationName: Type.Optional(Type.String({ maxLength: 200 })),
    timeZone: Type.Optional(Type.String({ maxLength: 64 })),
    billCycleDay: Type.Optional(Type.Integer({ minimum: 1, maximum: 31 })),
    realTimeRating: Type.Optional(Type.Boolean()),
    aggregatedBilling: Type.Optional(Type.Boolean()),
    locationRegistered: Type.Optional(Type.Boolean()),
    currency: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{3}$',
        description: 'ISO 4217 code of the currency of all its amounts; default: USD',
      }),
    ),
    contactEmail: Type.Optional(Type.String({ pattern: MAIL_ADDRESS_PATTERN, maxLength: 254 })),
  },
  { additionalProperties: false },
);
type Entry = Static<typeof Entry>;

/** Before the changes are written: whether cycles of an existing account will begin at other times. */
export const movesCycles = (db: Db, ecpdId: string): Promise<boolean> =>
  db.value<boolean>(sql`
    with ${stagedOf('accounts', ecpdId)}
    select exists (
      select 1 from staged s
      join account a on a.ecpd_id = ${ecpdId} and a.account_name = s.body->>'accountName'
      where coalesce(s.body->>'timeZone', a.time_zone) <> a.time_zone
        or coalesce((s.body->>'billCycleDay')::int, a.bill_cycle_day) <> a.bill_cycle_day) as found`);

const OFF = { absent: () => sql`false` };

const addToDirectory = (db: Db, ecpdId: string) =>
  db.exec(sql`
    insert into account_directory (account_name, ecpd_id)
    select s.body->>'accountName', ${ecpdId} from staged_entry s
    where s.section = 'accounts' and s.ecpd_id = ${ecpdId} order by 1
    on conflict do nothing`);

const accountRows = tableSection({
  name: 'accounts',
  tenant: 'profile or known account',
  entry: Entry,
  check: ({ timeZone }: Entry) =>
    timeZone === undefined || isTimeZone(timeZone)
      ? []
      : [{ path: '/timeZone', detail: 'is not a known time zone' }],
  table: 'account',
  key: ['accountName'],
  changesLast: true,
  columns: {
    timeZone: { absent: () => sql`'UTC'` },
    billCycleDay: { absent: () => sql`1` },
    realTimeRating: OFF,
    aggregatedBilling: OFF,
    locationRegistered: OFF,
    currency: { absent: () => sql`'USD'` },
    createdAt: { type: 'timestamptz', absent: (now) => sql`${now}` },
  },
  verify: [
    {
      path: '/accountName',
      detail: 'is being deleted',
      from: sql`staged s join account_directory a on a.account_name = s.body->>'accountName'`,
      condition: sql`a.closed_at is not null`,
    },
    {
      path: '/ecpdId',
      detail: 'is not the profile that the account belongs to; an account never changes its profile',
      from: sql`staged s join account_directory a on a.account_name = s.body->>'accountName'`,
      condition: sql`a.ecpd_id <> s.body->>'ecpdId'`,
    },
  ],
  export: { key: ['account_name'] },
});

export const accountsSection = {
  ...accountRows,
  async write(ctx: Ctx, ecpdId: string) {
    await addToDirectory(ctx.db, ecpdId);
    await accountRows.write(ctx, ecpdId);
  },
} satisfies FleetSection;
