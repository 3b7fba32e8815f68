import { type Caller, type Connection, createCaller, createSend } from './caller.ts';
import type { OperatorRoute } from './route-types.ts';

export interface OperatorConnection extends Connection {
  readonly operatorKey: string;
}

/** The calls of the operator API. Keep the operator's key out of browsers. */
export function createOperatorClient(connection: OperatorConnection): Caller<OperatorRoute> {
  const send = createSend(connection);
  const headers = { authorization: `Bearer ${connection.operatorKey}` };
  return createCaller((route, input, read) => send(route, input, headers, read));
}
