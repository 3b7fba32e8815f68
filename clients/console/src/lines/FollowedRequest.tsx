import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { type LineState, type RequestLine, type RequestLines, readRequestLines } from '../api/lines.ts';
import { usePages } from '../app/use-pages.ts';
import { Badge, StateBadge, type Tone } from '../parts/Badge.tsx';
import type { Column } from '../parts/DataTable.tsx';
import { Meter } from '../parts/Meter.tsx';
import { PagedTable } from '../parts/PagedTable.tsx';
import { Empty } from '../parts/states.tsx';
import { Tabs } from '../parts/Tabs.tsx';
import { formatNumber } from '../text/format.ts';

const STATES: Readonly<Record<LineState, { readonly tone: Tone; readonly word: string }>> = {
  waiting: { tone: 'accent', word: 'In progress' },
  done: { tone: 'good', word: 'Done' },
  failed: { tone: 'bad', word: 'Refused' },
};

const columnsOf = (accountName: string): readonly Column<RequestLine>[] => [
  {
    title: 'Line',
    width: 'minmax(110px, 1fr)',
    cell: ({ deviceId, name, ids }) => {
      const text = name ?? ids[0]?.id ?? '–';
      return deviceId === null ? (
        text
      ) : (
        <Link href={`/accounts/${accountName}/devices/${deviceId}`}>{text}</Link>
      );
    },
  },
  {
    title: 'Result',
    width: '110px',
    cell: ({ state }) => <Badge tone={STATES[state].tone}>{STATES[state].word}</Badge>,
  },
  {
    title: 'Why',
    width: 'minmax(100px, 2fr)',
    cell: ({ reason }) => <span title={reason ?? undefined}>{reason ?? '–'}</span>,
  },
  {
    title: 'Callback',
    width: '120px',
    wide: true,
    cell: ({ callback }) => (callback === undefined ? '–' : <StateBadge state={callback.state} />),
  },
];

const [SOON_MS, LATER_MS] = [2_000, 10_000];

/** Polls until the request ends, because a short request ends before the account's stream reports it. */
function pauseMs(pages: readonly RequestLines[]): number | false {
  if (pages[0]?.status === 'Pending') return SOON_MS;
  const isUnderWay = ({ callback }: RequestLine) => callback?.state === 'pending';
  return pages.some(({ lines }) => lines.some(isUnderWay)) ? LATER_MS : false;
}

/** The progress of a request, line by line. */
export function FollowedRequest({
  accountName,
  requestId,
  again,
}: {
  readonly accountName: string;
  readonly requestId: string;
  readonly again: () => ReactNode;
}) {
  const [state, setState] = useState<LineState | 'all'>('all');
  const list = usePages<RequestLines, number>(
    ['requests', accountName, 'lines', requestId, state],
    (after, signal) =>
      readRequestLines(accountName, requestId, { state: state === 'all' ? undefined : state, after }, signal),
    pauseMs,
  );
  const head = list.pages?.[0];
  const settled = head === undefined ? 0 : head.succeeded + head.failed;
  const queries = useQueryClient();
  useEffect(() => {
    if (settled > 0) void queries.invalidateQueries({ queryKey: ['devices', accountName] });
  }, [queries, accountName, settled]);
  return (
    <>
      <div className="row" role="status" aria-label="Progress">
        {head !== undefined && (
          <>
            <span>
              {formatNumber(settled)} of {formatNumber(head.requested)} settled:{' '}
              {formatNumber(head.succeeded)} done, {formatNumber(head.failed)} refused
            </span>
            <Link href={`/accounts/${accountName}/callbacks?request=${requestId}`}>Callbacks</Link>
            {head.status !== 'Pending' && head.failed > 0 && again()}
          </>
        )}
      </div>
      <Meter part={settled} whole={head?.requested ?? 1} label="Settled" plain />
      <Tabs
        label="Lines shown"
        tabs={[
          { id: 'all', label: 'All lines' },
          { id: 'failed', label: 'Refused' },
        ]}
        selected={state}
        onSelect={setState}
      />
      <PagedTable
        label="Lines"
        columns={columnsOf(accountName)}
        list={list}
        rowsOf={(page) => page.lines}
        keyOf={({ deviceId, ids }) => deviceId ?? ids.map(({ id }) => id).join(' ')}
        height={280}
        empty={<Empty title={state === 'failed' ? 'No line was refused' : 'No lines'} />}
      />
    </>
  );
}
