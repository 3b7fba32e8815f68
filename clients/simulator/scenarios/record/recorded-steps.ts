import { placeholderOf } from '../values.ts';
import type { Captures, Saving } from './captures.ts';
import type { Chosen, LoggedCall } from './logged-call.ts';
import { durationOf, withRelativeTimes } from './relative-times.ts';

export type RecordedStep = Saving & Readonly<Record<string, unknown>>;

const isMove = ({ operation, status }: LoggedCall): boolean =>
  operation === 'operatorMoveClock' && (status === 200 || status === 202);

/** A time that was set is as far away when it is played. */
function moveOf({ request, at }: LoggedCall): object {
  const { set, life, ...others } = request as { set?: string; life?: boolean };
  const kept = life === false ? { life } : {};
  if (set === undefined) return { ...others, ...kept };
  const seconds = Math.max(0, Math.ceil((Date.parse(set) - Date.parse(at)) / 1_000));
  return { advance: durationOf(seconds), ...kept };
}

/** Its query as members where each has one value; what is asked for twice stays as it was written. */
function addressOf({ method, path }: LoggedCall, { carry, carryPath }: Captures): object {
  const [place = '', query = ''] = path.split('?', 2);
  const asked = [...new URLSearchParams(query)];
  if (new Set(asked.map(([name]) => name)).size < asked.length) return { call: `${method} ${path}` };
  return {
    call: `${method} ${carryPath(place)}`,
    ...(asked.length > 0 && { query: carry(Object.fromEntries(asked)) }),
  };
}

/** The scenario's own listener hears what is sent to whoever registered in the session. */
const bodyOf = ({ operation, request }: LoggedCall): unknown =>
  operation?.startsWith('registerListener')
    ? { ...(request as object), url: placeholderOf('listener') }
    : request;

/** The ids of records are others in each run: who feeds them again must not find them known. */
const recordsOf = (records: readonly object[], atMs: number): unknown =>
  withRelativeTimes(
    records.map((record) =>
      'id' in record && typeof record.id === 'string'
        ? { ...record, id: `${record.id}-${placeholderOf('run')}` }
        : record,
    ),
    atMs,
  );

/** What a call becomes. */
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

/** The domain time when a call was over. */
export const endOf = (call: LoggedCall): number => {
  const { now = call.at } = (isMove(call) ? call.answer : {}) as { now?: string };
  return Math.max(Date.parse(call.at), Date.parse(now));
};
