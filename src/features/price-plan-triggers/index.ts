export { pricePlanTriggersSection } from './fleet-price-plan-triggers.ts';
