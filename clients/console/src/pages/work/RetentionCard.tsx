import type { UseQueryResult } from '@tanstack/react-query';
import type { Service } from '../../api/work.ts';
import { Card } from '../../parts/Card.tsx';
import { ScrollArea } from '../../parts/ScrollArea.tsx';
import { ReadProblem, Skeleton } from '../../parts/states.tsx';
import { formatNumber } from '../../text/format.ts';

const HEIGHT = 350;

/** Turns "days that alerts are kept after …" into "Alerts, after …", with the number in its own column. */
function wordsOf(about: string): string {
  const words = about
    .replace(/^days that /, '')
    .replace(/ (are kept|is kept|stay visible)(?=[,;]|$)/, '')
    .replace(/ (are|is) kept /, ', ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** The retention periods. They are settings of the service, read-only here. */
export function RetentionCard({ service }: { readonly service: UseQueryResult<Service> }) {
  const { data } = service;
  return (
    <Card title="Retention" span={6}>
      <ScrollArea label="Retention periods" height={HEIGHT}>
        <ReadProblem error={service.error} data={data} retry={() => void service.refetch()} />
        {service.isPending && <Skeleton height={HEIGHT - 20} />}
        {data && (
          <table className="plain-table" aria-label="Retention">
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
