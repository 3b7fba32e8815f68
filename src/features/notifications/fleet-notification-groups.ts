import { type Static, Type } from 'typebox';
import { MAIL_ADDRESS_PATTERN } from '../../kernel/mail-address.ts';
import { PHONE_NUMBER_PATTERN } from '../../kernel/phone-number.ts';
import { sql } from '../../platform/db/sql.ts';
import { tableSection } from '../../platform/fleet-document/table-section.ts';

const MEMBERS_MAX = 1_000;

const Entry = Type.Object(
  {
    ecpdId: Type.String(),
    name: Type.String({ minLength: 1, maxLength: 100 }),
    emails: Type.Optional(
      Type.Array(Type.String({ pattern: MAIL_ADDRESS_PATTERN, maxLength: 254 }), {
        maxItems: MEMBERS_MAX,
      }),
    ),
    phones: Type.Optional(
      Type.Array(Type.String({ pattern: PHONE_NUMBER_PATTERN }), { maxItems: MEMBERS_MAX }),
    ),
  },
  { additionalProperties: false },
);
const EMPTY = { absent: () => sql`'{}'::text[]` };

/** A group belongs to a profile. The export of one account includes the groups its triggers may name. */
export const notificationGroupsSection = tableSection({
  name: 'notificationGroups',
  tenant: 'profile',
  entry: Entry,
  /** Both Unicode forms of a name count as one name. */
  prepare: (_ctx, entry: Static<typeof Entry>) => ({ ...entry, name: entry.name.normalize('NFC') }),
  table: 'notification_group',
  key: ['name'],
  columns: { emails: EMPTY, phones: EMPTY },
});
