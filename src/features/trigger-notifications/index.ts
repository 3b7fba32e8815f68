export { notifyFirings } from './notify-firings.ts';
export { listThrottleListeners, notifyThrottling } from './notify-throttling.ts';
