import type { AccountName } from '../../../kernel/account-name.ts';
import type { Principal, Tenant, Viewer } from '../../../platform/context/context.ts';

/** The accounts of a user, home first; undefined for operators, who see all. */
export const accountsOf = (viewer: Viewer): readonly AccountName[] | undefined =>
  viewer.kind === 'user' ? [...viewer.principal.accounts.keys()] : undefined;

export const nameOf = (viewer: Viewer): string =>
  viewer.kind === 'user' ? viewer.principal.username : viewer.operator.keyName;

/** The same in all sessions of a user or key, and never the same for a user and a key. */
export const callerOf = (viewer: Viewer): string => `${viewer.kind} ${nameOf(viewer)}`;

/**
 * For use-cases that ask for a user: an operator acts as one who has this account only. Where they keep a name without its
 * kind, it says both; the audit log has them from the context.
 */
export const principalFor = (viewer: Viewer, { accountName, ecpdId }: Tenant): Principal =>
  viewer.kind === 'user'
    ? viewer.principal
    : {
        username: `operator ${viewer.operator.keyName}`,
        sessionHash: viewer.sessionHash,
        accounts: new Map([[accountName, ecpdId]]),
      };
