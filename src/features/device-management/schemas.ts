import { type Static, Type } from 'typebox';
import { UUID_PATTERN } from '../../kernel/uuid.ts';

const Uuid = Type.String({ pattern: UUID_PATTERN });
/** `checkRecord` checks whether this is a real time. */
const DateTime = Type.String({ pattern: '^[1-9][0-9]{3}-', maxLength: 40 });
const Email = Type.String({ pattern: '^[^@\\s]+@[^@\\s]+$', maxLength: 254 });
const FreeForm = Type.Object({}, { additionalProperties: true });
const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

/** Fields of every record. A document does not change the versions and dates of an existing record. */
const recordFields = {
  accountName: Type.String(),
  accountclientid: text(100),
  billingaccountid: text(32),
  id: Type.Optional(Uuid),
  foreignid: Type.Optional(Uuid),
  createdon: Type.Optional(DateTime),
  lastupdated: Type.Optional(DateTime),
  version: Type.Optional(Type.String({ pattern: '^[0-9]{1,18}$' })),
  versionid: Type.Optional(Uuid),
  name: text(200),
  description: text(1_000),
};

export const UserProfileEntry = Type.Object(
  {
    ...recordFields,
    ackterms: Type.Optional(Type.Boolean()),
    acktermson: Type.Optional(DateTime),
    credentialsid: Type.Optional(Email),
    credentialstype: Type.Optional(Type.Enum(['email'])),
    customdata: Type.Optional(FreeForm),
    displayname: text(200),
    email: Type.Optional(Email),
    firstname: text(100),
    lastname: text(100),
    middlename: text(100),
    mdn: Type.Optional(Type.String({ pattern: '^[0-9]{10}$' })),
    number: text(32),
    requestedon: Type.Optional(DateTime),
    secondarybillingaccountids: Type.Optional(Type.Array(Type.String(), { maxItems: 1_000 })),
    state: Type.Optional(Type.Enum(['success', 'failed'])),
  },
  { additionalProperties: false },
);
export type UserProfileEntry = Static<typeof UserProfileEntry>;

export const RuleEntry = Type.Object(
  {
    ...recordFields,
    deviceImei: Type.Optional(Type.String({ pattern: '^[0-9]{14,16}$' })),
    deviceid: Type.Optional(Uuid),
    disabled: Type.Optional(Type.Boolean()),
    rulechain: Type.Optional(FreeForm),
    rulesyntax: text(100),
  },
  { additionalProperties: false },
);
export type RuleEntry = Static<typeof RuleEntry>;
