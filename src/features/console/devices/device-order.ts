import { DEVICE_ID_KINDS } from '../../../kernel/device-id.ts';
import { type Query, sql, trusted } from '../../../platform/db/sql.ts';

/** The name of a line in a list, in lower case: its name, or its first identifier if it has none. Same as in its index. */
export const NAME = trusted(
  `lower(left(coalesce(d.record->>'name', ${DEVICE_ID_KINDS.map((kind) => `d.${kind}`).join(', ')}, ''), 64)) collate "C"`,
);

/** Sort keys, each with an index. Usage has no index, because it is summed on request. */
const KEYS = {
  name: NAME,
  state: sql`d.state collate "C"`,
  plan: sql`coalesce(d.service_plan, '') collate "C"`,
};
type SortKey = keyof typeof KEYS;

/** By time of entry or by a sort key, in either direction, because indexes are read both ways. */
export const ORDERS = ['oldest', 'newest', 'name', '-name', 'state', '-state', 'plan', '-plan'] as const;
export type Order = (typeof ORDERS)[number];

const keyOf = (order: Order): Query | undefined => KEYS[order.replace('-', '') as SortKey];
const isDown = (order: Order): boolean => order === 'newest' || order.startsWith('-');

/** Where a page ends: the number of a line, then its sort key. */
export const PLACE_PATTERN = '^[0-9]{1,18}(~[^\\u0000]{0,128})?$';

const numberOf = (place: string): string => place.split('~', 1)[0]!;
const keyIn = (place: string): string => place.slice(numberOf(place).length + 1);

/** The place of the line `d`. */
export const placeOf = (order: Order): Query => {
  const key = keyOf(order);
  return key === undefined ? sql`d.list_number::text` : sql`d.list_number::text || '~' || ${key}`;
};

export const inOrder = (order: Order): Query => {
  const [key, direction] = [keyOf(order), trusted(isDown(order) ? 'desc' : 'asc')];
  return key === undefined
    ? sql`order by d.list_number ${direction}`
    : sql`order by ${key} ${direction}, d.list_number ${direction}`;
};

function compare(order: Order, operator: '<' | '>', orEqual: '' | '=', place: string): Query {
  const [key, is] = [keyOf(order), trusted(`${operator}${orEqual}`)];
  const number = sql`${numberOf(place)}::bigint`;
  return key === undefined
    ? sql`d.list_number ${is} ${number}`
    : sql`(${key}, d.list_number) ${is} (${keyIn(place)}, ${number})`;
}

/** Whether the line `d` comes after the place. */
export const isBeyond = (order: Order, place: string): Query =>
  compare(order, isDown(order) ? '<' : '>', '', place);
/** Whether the line `d` comes at the place or before it. */
export const isWithin = (order: Order, place: string): Query =>
  compare(order, isDown(order) ? '>' : '<', '=', place);
