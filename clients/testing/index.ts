export type { SandboxCallbacks } from './callbacks.ts';
export type { SandboxClock } from './clock.ts';
export type { HeardCallback } from './heard-callbacks.ts';
export type { Match, Part } from './match.ts';
export type { FaultRule, LoggedRequest, Sandbox, SentMail, SentSms } from './sandbox.ts';
export { type SandboxOptions, startSandbox } from './start-sandbox.ts';
