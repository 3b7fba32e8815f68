import { createHttpElement } from '../../adapters/network-http/index.ts';
import { createOsmoHlr } from '../../adapters/osmo-hlr/index.ts';
import { createRadius } from '../../adapters/radius/index.ts';
import type { NetworkElement } from '../../features/network/index.ts';
import type { ElementSettings, NetworkSettings } from '../../platform/config/network-schema.ts';
import type { Ctx } from '../../platform/context/context.ts';
import type { Elements } from '../compose/compose-network.ts';
import { VERSION } from '../version.ts';
import { openSessionsOf } from './network-sessions.ts';

/** Real time, because access servers compare it with their own clock. */
const realTime = () => new Date();

/** The adapters for each kind of element. */
function open(settings: ElementSettings, ctx: Pick<Ctx, 'db'>): NetworkElement {
  if (settings.kind === 'http') {
    const { name, url, secret = '', timeoutMs } = settings;
    return createHttpElement({ name, url, secret, timeoutMs, userAgent: `Linekeeper/${VERSION}` });
  }
  if (settings.kind === 'radius') {
    const { secret = '', ...rest } = settings;
    const sessionsOf = openSessionsOf(ctx, rest.nasIdentifier);
    return createRadius({ ...rest, secret }, { sessionsOf, now: realTime });
  }
  const { name, address, batchMax, timeoutMs } = settings;
  const limits = timeoutMs === undefined ? {} : { connectMs: timeoutMs, answerMs: timeoutMs };
  return createOsmoHlr({ name, address, ...(batchMax !== undefined && { batchMax }), ...limits });
}

/** Disconnects sessions after a line has changed, best effort and without waiting. */
const AFTERWARDS: readonly ElementSettings['kind'][] = ['radius'];

/** The elements in the network file, not contacted yet. Undefined if there are none. */
export function openElements(
  network: NetworkSettings | undefined,
  ctx: Pick<Ctx, 'db'>,
): Elements | undefined {
  if (network === undefined || network.elements.length === 0) return undefined;
  const served = network.elements.map((settings) => {
    const { name, imsi, accounts } = settings;
    return {
      name,
      element: open(settings, ctx),
      afterwards: AFTERWARDS.includes(settings.kind),
      ...(imsi !== undefined && { imsi }),
      ...(accounts !== undefined && { accounts }),
    };
  });
  return { served };
}
