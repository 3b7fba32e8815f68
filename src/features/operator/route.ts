import { isUtf8 } from 'node:buffer';
import type { FastifyContextConfig, FastifyReply, FastifySchema } from 'fastify';
import { ACCOUNT_NAME_PATTERN, ECPD_ID_PATTERN, isAccountName } from '../../kernel/account-name.ts';
import { DEVICE_ID_SHAPES, type DeviceId, parseDeviceId, parseDeviceIdKind } from '../../kernel/device-id.ts';
import { UUID_PATTERN, UUID_SHAPE } from '../../kernel/uuid.ts';
import type { Ctx } from '../../platform/context/context.ts';
import { type FaultKind, refuse } from '../../platform/context/fault.ts';
import { calledBy, type OperatorScope, operatorWith } from '../../platform/http/access.ts';
import { operatorDialect } from '../../platform/http/dialects.ts';
import { type Account, findAccountByName } from '../accounts/index.ts';
import { type DeviceKey, findDeviceKey } from '../devices/index.ts';
import { operatorFaults } from './errors.ts';

/** Options of a route for operator keys with the scope. */
export const withScope = <const S extends FastifySchema>(
  scope: OperatorScope,
  schema: S,
  config: Omit<FastifyContextConfig, 'access'> = {},
) => calledBy(operatorWith(scope), schema, config);

export const doneOr = async (done: Promise<boolean>, otherwise: FaultKind) =>
  (await done) ? { success: true } : refuse(otherwise);

export function parseTime(name: string, text: string): Date {
  const at = new Date(text);
  const reason = `${name} is not an ISO 8601 date and time`;
  return Number.isNaN(at.getTime()) ? refuse(operatorFaults.badTime, { reason }) : at;
}

export const announceNext = (reply: FastifyReply, key: string): void =>
  void reply.header('x-next', Buffer.from(key).toString('base64url'));

/** Announces the next page if this one is full. `key` is where the next one starts. */
export function paged<Row>(
  reply: FastifyReply,
  rows: Row[],
  limit: number,
  key: (row: Row) => string,
): Row[] {
  const last = rows.at(-1);
  if (rows.length === limit && last !== undefined) announceNext(reply, key(last));
  return rows;
}

const TIME_SHAPE = String.raw`\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3])(:[0-5]\d){2}\.\d{3}Z`;

/** The shape of each list's page keys, so that a list refuses the page of another. */
export const PAGE_KEYS = {
  accountName: new RegExp(ACCOUNT_NAME_PATTERN),
  ecpdId: new RegExp(ECPD_ID_PATTERN),
  name: /^[^\0]{1,128}$/u,
  uuid: new RegExp(UUID_PATTERN),
  number: /^\d{1,18}$/,
  group: /^[0-9A-Za-z-]{1,32} \d{1,16}$/,
  usage: new RegExp(String.raw`^(day \d{4}-\d\d-\d\d|device (${UUID_SHAPE})?)$`),
  timeAndId: new RegExp(`^${TIME_SHAPE} ${UUID_SHAPE}$`),
  timeAndName: new RegExp(String.raw`^${TIME_SHAPE} [\w-]{1,128}$`),
} as const;

export function pageKey(page: string | undefined, shape: RegExp): string | undefined {
  if (page === undefined) return undefined;
  const bytes = Buffer.from(page, 'base64url');
  const key = bytes.toString('utf8');
  // Decoding skips characters that are not base64url, so the key must encode back to the same text.
  const isWhole = bytes.toString('base64url') === page && isUtf8(bytes);
  if (isWhole && shape.test(key)) return key;
  return refuse(operatorDialect.faults.invalid, { reason: 'page is not the X-Next of this list' });
}

/** Where the previous page of a list by time ended: a time and an id, because many rows can have the same time. */
export function beforeOf(page: string | undefined) {
  const key = pageKey(page, PAGE_KEYS.timeAndId);
  if (key === undefined) return undefined;
  const [at, id] = key.split(' ') as [string, string];
  return { at: new Date(at), id };
}

export const findNamedAccount = async (
  { db }: Ctx,
  name: string,
  which?: { readonly closed: boolean },
): Promise<Account> =>
  (isAccountName(name) ? await findAccountByName(db, name, which) : undefined) ??
  refuse(operatorFaults.noAccount);

export function parseNamedDevice(named: { kind: string; id: string }): DeviceId {
  const kind =
    parseDeviceIdKind(named.kind) ??
    refuse(operatorFaults.badDeviceId, { reason: `${named.kind} is not a kind of identifier` });
  const reason = `${kind} must be ${DEVICE_ID_SHAPES[kind]}`;
  return parseDeviceId(kind, named.id) ?? refuse(operatorFaults.badDeviceId, { reason });
}

export const findNamedDevice = async ({ db }: Ctx, named: { kind: string; id: string }): Promise<DeviceKey> =>
  (await findDeviceKey(db, parseNamedDevice(named))) ?? refuse(operatorFaults.noDevice);
