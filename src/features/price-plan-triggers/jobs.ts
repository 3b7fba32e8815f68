export { purgeActions } from './acting/purge-actions.ts';
