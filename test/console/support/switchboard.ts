import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { after } from 'node:test';

export interface Switchboard {
  readonly url: string;
  /** As if the service were killed: every connection breaks, and new ones are refused. */
  cut(): Promise<void>;
  /** As if the service had been restarted at the same address. */
  join(): Promise<void>;
}

/** A second address of a service, which can go down and come back. */
export async function openSwitchboard(service: string): Promise<Switchboard> {
  const to = Number(new URL(service).port);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const open = (): Server =>
    createServer((socket) => {
      const other = connect(to, '127.0.0.1');
      for (const one of [socket, other]) keep(one);
      socket.on('close', () => other.destroy());
      other.on('close', () => socket.destroy());
      socket.pipe(other).pipe(socket);
    });
  const listen = (server: Server, port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  let server = open();
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  after(cut);
  return {
    url: `http://127.0.0.1:${port}`,
    cut,
    async join() {
      server = open();
      await listen(server, port);
    },
  };
}
