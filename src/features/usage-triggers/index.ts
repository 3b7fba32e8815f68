export { usageTriggersSection } from './fleet-usage-triggers.ts';
