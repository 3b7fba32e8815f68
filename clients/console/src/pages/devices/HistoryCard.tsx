import { useState } from 'react';
import { Link } from 'wouter';
import { type HistoryEvent, type HistoryKind, listHistory } from '../../api/devices.ts';
import { useAccount } from '../../app/account.tsx';
import { usePages } from '../../app/use-pages.ts';
import { Card } from '../../parts/Card.tsx';
import { type Column, TIME_WIDTH } from '../../parts/DataTable.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { Empty } from '../../parts/states.tsx';
import { formatTime } from '../../text/format.ts';
import { KIND_WORDS, whatWords, whyWords } from './history-words.ts';

const KINDS = Object.keys(KIND_WORDS) as HistoryKind[];

function More({ accountName, event }: { readonly accountName: string; readonly event: HistoryEvent }) {
  const { firing, requestId } = event;
  const at = `/accounts/${accountName}`;
  if (firing?.isThere === true)
    return <Link href={`${at}/triggers/price-plan/${firing.triggerId}`}>Trigger</Link>;
  if (requestId !== undefined) return <Link href={`${at}/callbacks?request=${requestId}`}>Callbacks</Link>;
  return event.kind === 'alert' ? <Link href={`${at}/alerts`}>Alerts</Link> : null;
}

const columnsOf = (accountName: string): readonly Column<HistoryEvent>[] => [
  { title: 'When', sortBy: ({ at }) => at, width: TIME_WIDTH, cell: ({ at }) => formatTime(at) },
  {
    title: 'What',
    sortBy: whatWords,
    width: 'minmax(120px, 1fr)',
    cell: (event) => <span title={whatWords(event)}>{whatWords(event)}</span>,
  },
  {
    title: 'Who, why and result',
    sortBy: whyWords,
    width: 'minmax(160px, 2fr)',
    wide: true,
    cell: (event) => <span title={whyWords(event)}>{whyWords(event) || '–'}</span>,
  },
  {
    title: 'More',
    width: '100px',
    wide: true,
    cell: (event) => <More accountName={accountName} event={event} />,
  },
];

/** All events of a device, with the actor. */
export function HistoryCard({ deviceId }: { readonly deviceId: string }) {
  const accountName = useAccount();
  const [kind, setKind] = useState<HistoryKind>();
  const list = usePages(
    ['devices', accountName, deviceId, 'history', kind],
    (page: string | undefined, signal) => listHistory(accountName, deviceId, { kind, page }, signal),
  );
  return (
    <Card
      title="History"
      flush
      aside={
        <select
          className="input"
          style={{ width: 150 }}
          aria-label="Kind of event"
          value={kind ?? ''}
          onChange={({ target }) => setKind(KINDS.find((one) => one === target.value))}
        >
          <option value="">Everything</option>
          {KINDS.map((one) => (
            <option key={one} value={one}>
              {KIND_WORDS[one]}
            </option>
          ))}
        </select>
      }
    >
      <PagedTable
        label="History"
        file="history"
        columns={columnsOf(accountName)}
        list={list}
        rowsOf={(page) => page.events}
        keyOf={(event) => `${event.kind} ${event.key}`}
        height={420}
        minWidth={1_000}
        empty={<Empty title="No events of this kind" />}
      />
    </Card>
  );
}
