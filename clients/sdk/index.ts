export type { Answered, Caller, Connection, Fetch, LooseInput, Read, Send } from './caller.ts';
export { addressOf, createCaller, createSend, readJson } from './caller.ts';
export { type Client, type ClientConnection, type Credentials, createClient } from './client.ts';
export { type ErrorKind, endedToken, LinekeeperError } from './error.ts';
export { createOperatorClient, type OperatorConnection } from './operator.ts';
export { followNext, list, listDevices, type PagedRoute, pages, readLocationReport } from './paging.ts';
export type {
  Answer,
  Body,
  CallOptions,
  ConsoleRoute,
  Input,
  InputOf,
  OperatorRoute,
  PublicRoute,
  Query,
  Route,
} from './route-types.ts';
