import { type Static, Type } from 'typebox';
import { next } from '../../platform/http/page-place.ts';
import { ADD_MAX } from './managed-account.ts';

const AccountName = Type.String({ description: 'Billing account, leading zeros kept' });
const ServiceName = Type.String({ description: 'Location or fota' });

export const AddBody = Type.Object({
  accountName: Type.String({ description: 'The primary account' }),
  serviceName: ServiceName,
  type: Type.String({ minLength: 1, maxLength: 64, description: 'The SKU of the service' }),
  managedAccList: Type.Array(AccountName, {
    minItems: 1,
    maxItems: ADD_MAX,
    description: 'The accounts to manage; a name given twice is added and reported once',
  }),
});

/** Published clients send `txid`, the interface says `TxId`. One of them is required. */
export const ActivationBody = Type.Object({
  accountName: Type.String({ description: 'The managed account' }),
  paccountName: Type.String({ description: 'The primary account' }),
  serviceName: ServiceName,
  type: Type.String({ description: 'The SKU with which the account was added' }),
  TxId: Type.Optional(Type.String({ description: 'The transaction id of the last action on the account' })),
  txid: Type.Optional(Type.String({ description: 'Another spelling of TxId, which takes precedence' })),
});
export type ActivationBody = Static<typeof ActivationBody>;

export const ListParams = Type.Object({ accountName: AccountName, serviceName: ServiceName });
export const StatusParams = Type.Object({
  accountName: AccountName,
  serviceName: ServiceName,
  status: Type.String({ description: 'added or provisioned' }),
});

const Txids = { txid: Type.String(), TxId: Type.String() };
const Result = { status: Type.Enum(['Success', 'Fail']), reason: Type.String() };

export const WireAdded = Type.Object({
  ...Txids,
  statusList: Type.Array(Type.Object({ id: AccountName, ...Result })),
});
export type WireAdded = Static<typeof WireAdded>;

export const WireActivation = Type.Object({
  ...Txids,
  accountName: AccountName,
  paccountName: AccountName,
  serviceName: ServiceName,
  ...Result,
});
export type WireActivation = Static<typeof WireActivation>;

const Listed = Type.Array(Type.Object({ id: AccountName, txid: Type.String() }));

/** The interface capitalises the two lists differently, so each is present in both spellings. */
export const WireList = Type.Object({
  accountName: AccountName,
  ManagedAccAddedList: Listed,
  managedAccAddedList: Listed,
  managedAccProvisionedList: Listed,
  ManagedAccProvisionedList: Listed,
});
export type WireList = Static<typeof WireList>;

export const RELATIONS_PAGE = 200;
export const RelationsQuery = Type.Object({
  page: Type.Optional(Type.String({ maxLength: 32, description: 'The `next` of the previous page' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: RELATIONS_PAGE })),
});

const Relations = Type.Array(
  Type.Object({
    accountName: AccountName,
    paccountName: AccountName,
    skuName: Type.String(),
    state: Type.Enum(['added', 'provisioned']),
    txid: Type.String({ description: 'The transaction id of the last action on the account' }),
  }),
);
export const WireRelations = Type.Object({
  own: { ...Relations, description: 'With which account this one is billed, or may be' },
  mayManage: Type.Boolean({ description: 'Whether the caller may act as the primary account' }),
  accounts: { ...Relations, description: 'Accounts that are billed with this one, or may be, by name' },
  added: Type.Integer(),
  provisioned: Type.Integer(),
  next,
});

export const StatementParams = Type.Object({
  accountName: AccountName,
  serviceName: ServiceName,
  month: Type.String({
    pattern: '^[1-9][0-9]{3}-(0[1-9]|1[0-2])$',
    description: "yyyy-mm, a calendar month in the account's zone",
  }),
});

const TransactionsCount = Type.String({ description: 'Billable uses' });

export const WireStatement = Type.Object({
  accountName: AccountName,
  serviceName: ServiceName,
  month: Type.String(),
  skuName: Type.String(),
  transactionsAllowed: Type.String(),
  totalTransactionCount: Type.String({ description: 'The sum of the lines' }),
  lines: Type.Array(Type.Object({ accountName: AccountName, transactionsCount: TransactionsCount })),
});
export type WireStatement = Static<typeof WireStatement>;
