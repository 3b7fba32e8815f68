import type { Operation } from './document.ts';

/** Operations that cannot succeed in this scene, with the reasons. */
export const IS_NOT_HERE: Readonly<Record<string, string>> = {
  operatorReadSimulator: 'the living fleet is a program beside the service; test/e2e runs both',
  operatorSetSimulator: 'the living fleet is a program beside the service; test/e2e runs both',
};

/** Operations that other callers may also use, because they concern only the caller, or no customer. */
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
