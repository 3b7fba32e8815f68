import { Type } from 'typebox';
import { ECPD_ID_PATTERN } from '../../kernel/account-name.ts';
import { UUID_PATTERN } from '../../kernel/uuid.ts';
import { sql } from '../../platform/db/sql.ts';
import { tableSection } from '../../platform/fleet-document/table-section.ts';

export const profilesSection = tableSection({
  name: 'profiles',
  tenant: 'none',
  entry: Type.Object(
    {
      ecpdId: Type.String({ pattern: ECPD_ID_PATTERN }),
      foreignId: Type.Optional(Type.String({ pattern: UUID_PATTERN })),
    },
    { additionalProperties: false },
  ),
  table: 'profile',
  key: ['ecpdId'],
  columns: { foreignId: { type: 'uuid', absent: (_, rowId) => rowId(sql`e."ecpdId"`) } },
  export: { where: ({ ecpdId }) => sql`x.ecpd_id = ${ecpdId}` },
});
