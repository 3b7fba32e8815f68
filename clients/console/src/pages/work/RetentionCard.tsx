import type { UseQueryResult } from '@tanstack/react-query';
import type { Service } from '../../api/work.ts';
import { Card } from '../../parts/Card.tsx';
import { ScrollArea } from '../../parts/ScrollArea.tsx';
import { ReadProblem, Skeleton } from '../../parts/states.tsx';
import { formatNumber } from '../../text/format.ts';

const HEIGHT = 350;

/** "days for which alerts are kept after …" as "Alerts, after …": the number stands beside it. */
function wordsOf(about: string): string {
  const words = about
    .replace(/^days for which (it is kept )?/, '')
    .replace(/ (are kept|is kept|stay visible)(?=[,;]|$)/, '')
    .replace(/ (are|is) kept /, ', ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** For how long things are kept. Settings of the service: nobody changes them here. */
export function RetentionCard({ service }: { readonly service: UseQueryResult<Service> }) {
  const { data } = service;
  return (
    <Card title="Kept for" span={6}>
      <ScrollArea label="How long things are kept" height={HEIGHT}>
        <ReadProblem error={service.error} data={data} retry={() => void service.refetch()} />
        {service.isPending && <Skeleton height={HEIGHT - 20} />}
        {data && (
          <table className="plain-table" aria-label="Kept for">
            <tbody>
              {data.retention.map(({ setting, days, about }) => (
                <tr key={setting}>
                  <td title={setting}>{wordsOf(about)}</td>
                  <td className="right number nowrap">{formatNumber(days)} days</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </ScrollArea>
    </Card>
  );
}
