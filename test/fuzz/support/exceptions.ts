import type { Operation } from './document.ts';

/** Operations that cannot succeed in this scene, and why. */
export const IS_NOT_HERE: Readonly<Record<string, string>> = {
  operatorReadSimulator: 'the living fleet is a program beside the service; test/e2e runs both',
  operatorSetSimulator: 'the living fleet is a program beside the service; test/e2e runs both',
};

/** What somebody else may do as well, since it is about whoever asks or about nobody. */
const FOR_EVERYBODY: Readonly<Record<string, string>> = {
  logIn: 'whoever knows the password',
  consoleSignIn: 'whoever knows the password',
  logOut: 'ends the session of whoever asks',
  consoleSignOut: 'ends the session of whoever asks',
  consoleReadSession: 'tells about the session of whoever asks',
  consoleListAccounts: 'lists those of whoever asks',
  listPricePlanTriggers: 'lists those of whoever asks',
  listPricePlanTriggersOfCategory: 'lists those of whoever asks',
};

export const isForEverybody = ({ id }: Operation): boolean => id in FOR_EVERYBODY;
