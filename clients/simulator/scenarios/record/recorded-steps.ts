import { placeholderOf } from '../values.ts';
import type { Captures, Saving } from './captures.ts';
import type { Chosen, LoggedCall } from './logged-call.ts';
import { durationOf, withRelativeTimes } from './relative-times.ts';

export type RecordedStep = Saving & Readonly<Record<string, unknown>>;

const isMove = ({ operation, status }: LoggedCall): boolean =>
  operation === 'operatorMoveClock' && (status === 200 || status === 202);

/** A set time becomes relative, so that it is equally far away in a replay. */
function moveOf({ request, at }: LoggedCall): object {
  const { set, life, ...others } = request as { set?: string; life?: boolean };
  const kept = life === false ? { life } : {};
  if (set === undefined) return { ...others, ...kept };
  const seconds = Math.max(0, Math.ceil((Date.parse(set) - Date.parse(at)) / 1_000));
  return { advance: durationOf(seconds), ...kept };
}

/** Splits the query into members if each has one value; otherwise it stays in the path. */
function addressOf({ method, path }: LoggedCall, { carry, carryPath }: Captures): object {
  const [place = '', query = ''] = path.split('?', 2);
  const asked = [...new URLSearchParams(query)];
  if (new Set(asked.map(([name]) => name)).size < asked.length) return { call: `${method} ${path}` };
  return {
    call: `${method} ${carryPath(place)}`,
    ...(asked.length > 0 && { query: carry(Object.fromEntries(asked)) }),
  };
}

/** Registrations use the scenario's own listener instead of the recorded address. */
const bodyOf = ({ operation, request }: LoggedCall): unknown =>
  operation?.startsWith('registerListener')
    ? { ...(request as object), url: placeholderOf('listener') }
    : request;

/** Record ids differ in each run, so that a replay does not find them as duplicates. */
const recordsOf = (records: readonly object[], atMs: number): unknown =>
  withRelativeTimes(
    records.map((record) =>
      'id' in record && typeof record.id === 'string'
        ? { ...record, id: `${record.id}-${placeholderOf('run')}` }
        : record,
    ),
    atMs,
  );

/** The step for a call. */
export function stepOf({ call, records }: Chosen, captures: Captures): RecordedStep {
  const { operation, request, status } = call;
  const atMs = Date.parse(call.at);
  if (records !== undefined && status === 200)
    return { feed: call.path.split('/').at(-1), records: captures.carry(recordsOf(records, atMs)) };
  if (isMove(call)) return { clock: moveOf(call) };
  if (operation === 'operatorSetFaults' && status === 200) return { faults: request };
  if (operation === 'operatorClearFaults') return { faults: [] };
  const body = withRelativeTimes(captures.carry(bodyOf(call)), atMs);
  return {
    ...addressOf(call, captures),
    ...(request !== null && { body }),
    status: status ?? 'none',
  };
}

/** The domain time at the end of a call. */
export const endOf = (call: LoggedCall): number => {
  const { now = call.at } = (isMove(call) ? call.answer : {}) as { now?: string };
  return Math.max(Date.parse(call.at), Date.parse(now));
};
