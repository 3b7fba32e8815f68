export { rulesSection } from './fleet-rules.ts';
export { userProfilesSection } from './fleet-user-profiles.ts';
