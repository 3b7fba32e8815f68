export { ACCESS_CHANNEL, announceAccessChange } from './access-changes.ts';
export { authenticateCallers, bearerOf, isHomeAccount } from './authenticate.ts';
export { clientsSection } from './fleet-clients.ts';
export { usersSection } from './fleet-users.ts';
export { revokeToken } from './issue-token.ts';
export { NAMES_TRIED_MAX, PASSWORD_MAX, USERNAME_MAX } from './limits.ts';
export { createLiveAccess, type LiveAccess } from './live-access.ts';
export { loginLimiter } from './login-allowance.ts';
export {
  disableClient,
  disableUser,
  enableClient,
  enableUser,
  resetPasswordOf,
  rotateClientSecret,
  unlockUser,
} from './manage-access.ts';
export { confirmProof, type LockPolicy, provePassword } from './prove-password.ts';
export { listClients } from './sql-client.ts';
export { countUsersOf, deleteAccountOfUsers, findUserAccess, listUsers } from './sql-user.ts';
