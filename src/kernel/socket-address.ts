export interface SocketAddress {
  readonly host: string;
  readonly port: number;
}

const PORT_MAX = 65_535;
/** `name:port`, `192.0.2.1:port` or `[2001:db8::1]:port`. */
const ADDRESS = /^(?:\[([0-9A-Fa-f:.]{2,45})\]|([A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})?)):(\d{1,5})$/;

/** Undefined if the text is not an address with a port. */
export function parseSocketAddress(text: string): SocketAddress | undefined {
  const [, ipv6, name, digits] = ADDRESS.exec(text) ?? [];
  const [host, port] = [ipv6 ?? name, Number(digits)];
  return host === undefined || port < 1 || port > PORT_MAX ? undefined : { host, port };
}

/** For an address that was already checked. */
export function socketAddressOf(text: string): SocketAddress {
  const address = parseSocketAddress(text);
  if (address === undefined) throw new Error(`${JSON.stringify(text)} is not an address like 192.0.2.1:4259`);
  return address;
}
