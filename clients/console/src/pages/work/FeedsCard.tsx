import type { UseQueryResult } from '@tanstack/react-query';
import type { FeedOfProcess, Service } from '../../api/work.ts';
import { Card } from '../../parts/Card.tsx';
import { ScrollArea } from '../../parts/ScrollArea.tsx';
import { Empty, ReadProblem, Skeleton } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { formatNumber } from '../../text/format.ts';
import { feedsOf } from './feeds.ts';

const HEIGHT = 350;
const NAMES: Readonly<Record<string, string>> = {
  usage: 'Usage',
  positions: 'Positions',
  readings: 'Readings',
};

const rate = (perSecond: number): string =>
  `${perSecond.toLocaleString('en', { maximumFractionDigits: perSecond < 10 ? 1 : 0 })} a second`;

function Feeds({ feeds }: { readonly feeds: readonly FeedOfProcess[] }) {
  return (
    <table className="plain-table" aria-label="Feeds">
      <thead>
        <tr>
          <th>Feed</th>
          <th className="right">Last minute</th>
          <th className="right wide-cell">Accepted</th>
          <th className="right">Rejected</th>
        </tr>
      </thead>
      <tbody>
        {feeds.map(({ feed, ratePerSecond, taken, rejected }) => (
          <tr key={feed}>
            <td>{NAMES[feed] ?? feed}</td>
            <td className="right number">{rate(ratePerSecond)}</td>
            <td className="right number wide-cell">{formatNumber(taken)}</td>
            <td className="right number">{formatNumber(rejected)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Reasons({ feeds }: { readonly feeds: readonly FeedOfProcess[] }) {
  const all = feeds.flatMap(({ feed, reasons }) => reasons.map((one) => ({ ...one, feed })));
  if (all.length === 0) return <p className="soft small">No records rejected.</p>;
  return (
    <table className="plain-table" aria-label="Why records were rejected">
      <thead>
        <tr>
          <th>Why</th>
          <th className="wide-cell">Feed</th>
          <th className="right">Records</th>
          <th className="right wide-cell">Last</th>
        </tr>
      </thead>
      <tbody>
        {all.map(({ feed, reason, records, at }) => (
          <tr key={`${feed} ${reason}`}>
            <td style={{ overflowWrap: 'anywhere' }}>{reason}</td>
            <td className="wide-cell">{NAMES[feed] ?? feed}</td>
            <td className="right number">{formatNumber(records)}</td>
            <td className="right wide-cell">
              <TimeAgo at={at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The rate of incoming records, and why some are rejected. */
export function FeedsCard({ service }: { readonly service: UseQueryResult<Service> }) {
  const { data } = service;
  const feeds = data && feedsOf(data.processes);
  return (
    <Card title="Feeds" span={6} aside={<span className="small soft">since the start of each process</span>}>
      <ScrollArea label="Feed rates" height={HEIGHT}>
        <ReadProblem error={service.error} data={data} retry={() => void service.refetch()} />
        {service.isPending && <Skeleton height={HEIGHT - 20} />}
        {feeds?.length === 0 && <Empty title="No records fed yet" />}
        {feeds !== undefined && feeds.length > 0 && (
          <>
            <Feeds feeds={feeds} />
            <Reasons feeds={feeds} />
          </>
        )}
      </ScrollArea>
    </Card>
  );
}
