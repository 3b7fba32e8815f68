export { CONSENT_LEVELS, type ConsentLevel, DEFAULT_LEVEL } from './consent.ts';
export { consentsSection } from './fleet-consents.ts';
export { exclusionsSection } from './fleet-exclusions.ts';
export { putDefaultConsents } from './put-default-consents.ts';
