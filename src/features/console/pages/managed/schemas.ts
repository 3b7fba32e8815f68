import { Type } from 'typebox';
import { ACCOUNT_NAME_PATTERN } from '../../../../kernel/account-name.ts';
import { MANAGED_SERVICES } from '../../../accounts/index.ts';
import { ADD_MAX, StatementParams } from '../../../managed-accounts/index.ts';
import { PAGE_MAX } from '../../schemas.ts';

const service = Type.Enum([...MANAGED_SERVICES]);
export const ServiceParams = Type.Object({
  accountName: Type.String({ maxLength: 32 }),
  serviceName: service,
});
export const MonthParams = Type.Object({
  ...ServiceParams.properties,
  month: StatementParams.properties.month,
});

export const ListQuery = Type.Object({
  page: Type.Optional(Type.String({ maxLength: 32 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX })),
});

export const AddBody = Type.Object({
  skuName: Type.String({ minLength: 1, maxLength: 64 }),
  accounts: Type.Array(Type.String({ maxLength: 32 }), { minItems: 1, maxItems: ADD_MAX }),
});

/** As the account saw it: if it has changed since, nothing is done. */
export const ActivationBody = Type.Object({
  paccountName: Type.String({ maxLength: 32 }),
  skuName: Type.String({ maxLength: 64 }),
  txid: Type.String({ maxLength: 64 }),
});

/** As the primary account saw it. */
export const TakeBackBody = Type.Object({
  accountName: Type.String({ pattern: ACCOUNT_NAME_PATTERN }),
  skuName: Type.String({ maxLength: 64 }),
  txid: Type.String({ maxLength: 64 }),
});

const relation = {
  accountName: Type.String(),
  paccountName: Type.String(),
  skuName: Type.String(),
  state: Type.Enum(['added', 'provisioned']),
  txid: Type.String(),
};

export const WireManaged = Type.Object({
  accounts: Type.Array(Type.Object(relation)),
  added: Type.Integer(),
  provisioned: Type.Integer(),
  next: Type.Optional(Type.String()),
});

export const WireRelations = Type.Object({ relations: Type.Array(Type.Object(relation)) });

const result = { status: Type.Enum(['Success', 'Fail']), reason: Type.String() };
export const WireResults = Type.Object({
  results: Type.Array(Type.Object({ accountName: Type.String(), ...result })),
});
export const WireResult = Type.Object({ ...result, txid: Type.String() });

export const WireStatement = Type.Object({
  skuName: Type.String(),
  allowed: Type.Number(),
  total: Type.Number(),
  lines: Type.Array(Type.Object({ accountName: Type.String(), transactions: Type.Number() })),
  next: Type.Optional(Type.Integer()),
});
