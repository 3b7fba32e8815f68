import { createHttpElement } from '../adapters/network-http/index.ts';
import type { NetworkElement } from '../features/network/index.ts';
import type { ElementSettings, NetworkSettings } from '../platform/config/network-schema.ts';
import { ConfigError } from '../platform/config/settings.ts';
import type { Elements } from './compose-network.ts';
import { VERSION } from './version.ts';

type Open = (settings: ElementSettings) => NetworkElement;

const openHttp: Open = (settings) => {
  if (settings.kind !== 'http') throw new TypeError(`${settings.kind} is not http`);
  const { name, url, secret = '', timeoutMs } = settings;
  return createHttpElement({ name, url, secret, timeoutMs, userAgent: `Linekeeper/${VERSION}` });
};

/** Who speaks to an element of each kind. */
const ADAPTERS: Partial<Record<ElementSettings['kind'], Open>> = { http: openHttp };

/** Sessions are cut when the line has changed, as well as can be; nobody waits for it. */
const FOLLOWS: readonly ElementSettings['kind'][] = ['radius'];

/** The elements that the file names; nothing is asked of them yet. Undefined where there is no file. */
export function openElements(network: NetworkSettings | undefined): Elements | undefined {
  if (network === undefined) return undefined;
  const served = network.elements.map((settings) => {
    const open = ADAPTERS[settings.kind];
    if (open === undefined)
      throw new ConfigError(
        `LINEKEEPER_NETWORK: this version has no adapter for elements of kind ${settings.kind}.`,
      );
    const { name, imsi, accounts } = settings;
    return {
      name,
      element: open(settings),
      follows: FOLLOWS.includes(settings.kind),
      ...(imsi !== undefined && { imsi }),
      ...(accounts !== undefined && { accounts }),
    };
  });
  return { served };
}
