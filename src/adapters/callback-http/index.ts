import {
  ATTEMPT_TIMEOUT_MS,
  type CheckAddressText,
  type CheckListenerAddress,
  CONNECT_TIMEOUT_MS,
} from '../../features/callbacks/index.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import { addressRules, parseTarget, rememberTargets, type SpecialRange } from './address-rules.ts';
import { createConnector } from './connector.ts';
import { createOriginPools } from './origin-pools.ts';
import { reasonOf } from './reasons.ts';
import { findAddresses, type ResolveHost, type Resolving, systemResolver } from './resolve-host.ts';
import { createSender } from './send.ts';

export interface CallbackHttpOptions {
  /** Ranges that may be connected to in addition to the public ones. */
  readonly allow: readonly SpecialRange[];
  readonly resolve?: ResolveHost;
  /** Receives the exact problem with a name, which users who register listeners do not see. */
  readonly log?: Log;
  /** Shorter times, for tests. */
  readonly limits?: {
    readonly connectMs?: number;
    readonly attemptMs?: number;
    readonly lifetimeMs?: number;
  };
  /** Trusted instead of the system's roots, for tests; an operator has NODE_EXTRA_CA_CERTS. */
  readonly ca?: string;
}

export function createCallbackHttp(options: CallbackHttpOptions) {
  const { allow, resolve = systemResolver(), log, limits = {}, ca } = options;
  const rules = addressRules(allow);
  const connector = createConnector({
    rules,
    resolve,
    // Attempts repeat often, and each message has its own.
    logRefusal: (host, reason) => log?.debug({ host, reason }, 'the name of a listener cannot be used'),
    connectMs: limits.connectMs ?? CONNECT_TIMEOUT_MS,
    ca,
  });
  const pools = createOriginPools(connector.open, limits.lifetimeMs);
  const sender = createSender(rememberTargets(rules), pools, limits.attemptMs ?? ATTEMPT_TIMEOUT_MS);
  const checkAddressText: CheckAddressText = (url) => parseTarget(url, rules).refusal;
  const checkAddress: CheckListenerAddress = async (url) => {
    const { host, port, refusal } = parseTarget(url, rules);
    if (refusal !== undefined) return refusal;
    const logRefusal: Resolving['logRefusal'] = (name, reason) =>
      log?.info({ host: name, reason }, 'the name of a listener cannot be used');
    return findAddresses(host, port, { rules, resolve, logRefusal }).then(() => undefined, reasonOf);
  };

  return {
    send: sender.send,
    checkAddressText,
    checkAddress,
    async close() {
      sender.stop();
      connector.close();
      pools.destroy();
    },
  };
}
