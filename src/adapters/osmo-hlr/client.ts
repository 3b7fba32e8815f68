import type { SocketAddress } from '../../kernel/socket-address.ts';
import type { CtrlAnswer } from './answers.ts';
import { CtrlConnection, type CtrlLimits } from './connection.ts';

/** No answer arrived. The command may have been carried out. */
export class CtrlFailed extends Error {}

export type CtrlClient = ReturnType<typeof createCtrlClient>;

/** Uses one connection to a register, opened on demand and again after it was lost. */
export function createCtrlClient(address: SocketAddress, limits: CtrlLimits) {
  let connection: CtrlConnection | undefined;
  let isClosed = false;

  function connected(): CtrlConnection {
    if (connection?.isAbandoned) connection.end('the register has not answered for a long time');
    if (connection !== undefined) return connection;
    const opened = new CtrlConnection(address, limits, () => {
      if (connection === opened) connection = undefined;
    });
    connection = opened;
    return opened;
  }

  /** Reads a variable, or sets it if a value is given. Commands are carried out in the order of the calls. */
  function ask(variable: string, value: string | undefined, signal: AbortSignal): Promise<CtrlAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<CtrlAnswer>();
    const failed = (reason: string) => reject(new CtrlFailed(reason));
    if (isClosed || signal.aborted) failed('stopped');
    else connected().submit({ variable, value, signal, answered: resolve, failed });
    return promise;
  }

  return {
    get: (variable: string, signal: AbortSignal) => ask(variable, undefined, signal),
    set: (variable: string, value: string, signal: AbortSignal) => ask(variable, value, signal),
    close(): void {
      isClosed = true;
      connection?.end('stopped');
    },
  };
}
