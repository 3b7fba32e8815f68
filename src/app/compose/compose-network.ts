import { createSimulatedElement } from '../../adapters/simulated-network/simulated-element.ts';
import { settleHeldLater } from '../../features/carrier-requests/index.ts';
import { resumeLater } from '../../features/device-lifecycle/jobs.ts';
import {
  type ConnectedElement,
  createRouting,
  type LineNetwork,
  routeSimulated,
  type ServedLines,
} from '../../features/network/index.ts';
import type { Settings } from '../../platform/config/settings.ts';
import type { Ctx } from '../../platform/context/context.ts';

/** The elements behind the lines, and which lines each serves. */
export interface Elements {
  readonly served: readonly (ServedLines & ConnectedElement)[];
  /** Pause after a failed element, for tests that need a short one. */
  readonly openMs?: number;
}

/** The callers that wait for orders: requests, and lines whose suspension has ended. */
const onClosed: LineNetwork['onClosed'] = async (tx, ecpdId, closed) => {
  await settleHeldLater(tx, ecpdId, closed);
  await resumeLater(tx, ecpdId, closed);
};

/** The network behind the lines: its elements, or the sandbox's simulated one. Undefined if there is none. */
export function composeNetwork(
  ctx: Ctx,
  { sandbox, orderMaxAgeMs: maxAgeMs }: Pick<Settings, 'sandbox' | 'orderMaxAgeMs'>,
  given: Elements | undefined,
) {
  if (given !== undefined) {
    const routeOf = createRouting(given.served);
    const network: LineNetwork = {
      time: 'real',
      maxAgeMs,
      onClosed,
      routesOf: async (_db, _ecpdId, lines) => new Map(lines.map((line) => [line.deviceId, routeOf(line)])),
    };
    return { network, elements: given.served, openMs: given.openMs };
  }
  if (!sandbox) return undefined;
  const network: LineNetwork = { time: 'domain', maxAgeMs, onClosed, routesOf: routeSimulated };
  const elements = [{ element: createSimulatedElement(ctx), afterwards: false }];
  // A simulated network needs no pause, because users can change its behaviour at any time.
  return { network, elements, openMs: 1 };
}

export type ComposedNetwork = NonNullable<ReturnType<typeof composeNetwork>>;
