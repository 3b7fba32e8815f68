export { listenersSection } from './fleet-listeners.ts';
export { pauseListener, resumeListener } from './pause-listener.ts';
export { CALLBACK_SERVICES, LISTENER_SERVICES, type ListenerService } from './service-names.ts';
