export { pricePlanTriggersSection } from './fleet-price-plan-triggers.ts';
export { areActionsPaused, pauseActions, resumeActions } from './pause-actions.ts';
