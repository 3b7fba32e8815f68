import type { ManagedAccount } from '../accounts/index.ts';
import type { Added } from './add-accounts.ts';
import type { ListedAccounts, Statement } from './list-accounts.ts';
import type { Activation, ActivationResult } from './provision-account.ts';
import type { ActivationBody, WireActivation, WireAdded, WireList, WireStatement } from './schemas.ts';

export const parseTxid = ({ TxId, txid }: ActivationBody): string | undefined => TxId ?? txid;

const bothTxids = (txid: string) => ({ txid, TxId: txid });

export const toWireAdded = ({ txid, results }: Added): WireAdded => ({
  ...bothTxids(txid),
  statusList: results.map(({ accountName, status, reason }) => ({ id: accountName, status, reason })),
});

export const toWireActivation = (
  accountName: string,
  { paccountName, serviceName }: Activation,
  { txid, status, reason }: ActivationResult,
): WireActivation => ({ ...bothTxids(txid), accountName, paccountName, serviceName, status, reason });

export function toWireList(accountName: string, accounts: ListedAccounts): WireList {
  const toListed = (list: readonly ManagedAccount[]) =>
    list.map(({ accountName: id, txid }) => ({ id, txid }));
  const added = toListed(accounts.added);
  const provisioned = toListed(accounts.provisioned);
  return {
    accountName,
    ManagedAccAddedList: added,
    managedAccAddedList: added,
    managedAccProvisionedList: provisioned,
    ManagedAccProvisionedList: provisioned,
  };
}

export const toWireStatement = (
  named: Pick<WireStatement, 'accountName' | 'serviceName' | 'month'>,
  { skuName, allowed, lines, total }: Statement,
): WireStatement => ({
  ...named,
  skuName,
  transactionsAllowed: String(allowed),
  totalTransactionCount: String(total),
  lines: lines.map(({ accountName, transactions }) => ({
    accountName,
    transactionsCount: String(transactions),
  })),
});
