import { type Static, Type } from 'typebox';
import { ACCOUNT_NAME_PATTERN } from '../../kernel/account-name.ts';
import { type Boundaries, changeBoundaries } from '../../kernel/calendar.ts';
import { MAIL_ADDRESS_PATTERN } from '../../kernel/mail-address.ts';
import type { Ctx } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import type { FleetSection } from '../../platform/fleet-document/section.ts';
import { tableSection } from '../../platform/fleet-document/table-section.ts';
import { stagedOf } from '../../platform/fleet-document/verify-entries.ts';
import { isTimeZone } from './account.ts';
import { BOUNDARIES } from './sql.ts';

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

interface Moved extends Boundaries {
  readonly accountName: string;
  readonly next: { readonly timeZone: string; readonly billCycleDay: number };
}

const PAGE = 1_000;

/** Existing accounts that the document gives another zone or bill-cycle day. */
const listMoved = (db: Db, ecpdId: string, after: string) =>
  db.many<Moved>(sql`
    with ${stagedOf('accounts', ecpdId)}
    select a.account_name as "accountName", ${BOUNDARIES},
      json_build_object('timeZone', coalesce(s.body->>'timeZone', a.time_zone),
        'billCycleDay', coalesce((s.body->>'billCycleDay')::int, a.bill_cycle_day)) as next
    from staged s
    join account a on a.ecpd_id = ${ecpdId} and a.account_name = s.body->>'accountName'
    where a.account_name > ${after} and (coalesce(s.body->>'timeZone', a.time_zone) <> a.time_zone
      or coalesce((s.body->>'billCycleDay')::int, a.bill_cycle_day) <> a.bill_cycle_day)
    order by a.account_name limit ${PAGE}`);

/** Before the changes are written: cycles that have begun keep their boundaries. */
async function keepBoundaries({ db, now }: Ctx, ecpdId: string): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const moved: Moved[] = await listMoved(db, ecpdId, after);
    const rules = moved.map((account) => changeBoundaries(account, account.next, now().getTime()));
    await db.exec(sql`
      update account a set boundaries = m.boundaries::jsonb
      from unnest(${moved.map(({ accountName }) => accountName)}::text[],
        ${rules.map((rule) => (rule === null ? null : JSON.stringify(rule)))}::text[]) as m (account_name, boundaries)
      where a.ecpd_id = ${ecpdId} and a.account_name = m.account_name`);
    after = moved.length < PAGE ? undefined : moved.at(-1)!.accountName;
  }
}

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
  async writeLast(ctx: Ctx, ecpdId: string) {
    await keepBoundaries(ctx, ecpdId);
    await accountRows.writeLast?.(ctx, ecpdId);
  },
} satisfies FleetSection;
