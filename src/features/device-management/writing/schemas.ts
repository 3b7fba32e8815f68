import { type Static, Type } from 'typebox';
import { AccountName, FreeForm, ResourceIdentifier } from '../querying/schemas.ts';

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const VersionId = Type.Optional(
  Type.String({ maxLength: 40, description: 'If given, it must be the current one' }),
);
const Id = Type.String({ maxLength: 40, description: 'UUID of the record' });
const Custom = Type.Optional(FreeForm);

/** Addresses, numbers and times are checked in code, for a helpful error message. */
export const UserFields = Type.Object({
  versionid: VersionId,
  name: text(200),
  description: text(1_000),
  ackterms: Type.Optional(Type.Boolean({ lenient: true })),
  credentialsid: text(1_000),
  customdata: Custom,
  displayname: text(200),
  email: text(1_000),
  firstname: text(100),
  lastname: text(100),
  middlename: text(100),
  mdn: text(100),
});
export type UserFields = Static<typeof UserFields>;

export const CreateUserBody = Type.Object({ accountname: AccountName, user: UserFields });
export type CreateUserBody = Static<typeof CreateUserBody>;
export const UpdateUserBody = Type.Object({
  accountname: AccountName,
  id: Id,
  versionid: VersionId,
  user: UserFields,
});
export type UpdateUserBody = Static<typeof UpdateUserBody>;
export const DeleteUserBody = Type.Object({ accountname: AccountName, id: Id, versionid: VersionId });
export type DeleteUserBody = Static<typeof DeleteUserBody>;

export const RuleFields = Type.Object({
  versionid: VersionId,
  name: text(200),
  description: text(1_000),
  deviceid: text(40),
  disabled: Type.Optional(Type.Boolean({ lenient: true })),
  rulechain: Custom,
  rulesyntax: text(100),
});
export type RuleFields = Static<typeof RuleFields>;

export const PutRuleBody = Type.Object({
  accountname: AccountName,
  resourceidentifier: Type.Optional(ResourceIdentifier),
  versionid: VersionId,
  rule: RuleFields,
});
export type PutRuleBody = Static<typeof PutRuleBody>;

export const DeleteRuleBody = Type.Object({
  accountname: AccountName,
  id: Type.Optional(Id),
  resourceidentifier: Type.Optional(ResourceIdentifier),
  versionid: VersionId,
});
export type DeleteRuleBody = Static<typeof DeleteRuleBody>;

export const DeviceFields = Type.Object({
  versionid: VersionId,
  name: text(200),
  description: text(1_000),
  refid: text(200),
  refidtype: text(50),
  customdata: Custom,
});

export const UpdateDeviceBody = Type.Object({
  accountname: AccountName,
  id: Type.Optional(Id),
  resourceidentifier: Type.Optional(ResourceIdentifier),
  versionid: VersionId,
  device: DeviceFields,
});
export type UpdateDeviceBody = Static<typeof UpdateDeviceBody>;

export const SetConfigurationBody = Type.Object({
  accountname: AccountName,
  resourceidentifier: ResourceIdentifier,
  versionid: VersionId,
  configuration: FreeForm,
});
export type SetConfigurationBody = Static<typeof SetConfigurationBody>;

export const ConfigurationResult = Type.Object({
  id: Type.String(),
  transactionid: Type.String(),
  deviceid: Type.String(),
  fields: FreeForm,
  foreignid: Type.String(),
  createdon: Type.String(),
  lastupdated: Type.String(),
  state: Type.Literal('success'),
  version: Type.String(),
  versionid: Type.String(),
});
export type ConfigurationResult = Static<typeof ConfigurationResult>;

export const LastReportedBody = Type.Object({
  accountname: AccountName,
  resourceidentifier: ResourceIdentifier,
});
