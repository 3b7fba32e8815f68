import type { Bill } from '../../api/billing.ts';
import { Badge } from '../../parts/Badge.tsx';
import { Card } from '../../parts/Card.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { Empty, ReadProblem } from '../../parts/states.tsx';
import { ToolTable } from '../../parts/ToolTable.tsx';
import { formatBytes, formatMoney } from '../../text/format.ts';

interface Row {
  readonly key: string;
  readonly group: string;
  readonly country: string;
  readonly kind: 'sum' | 'country' | 'delayed';
  readonly totalBytes: number;
  readonly billedBytes: number;
  readonly amount: number;
}

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
function countryOf(code: string): string {
  if (code === '') return 'Unknown';
  return /^[A-Za-z]{2}$/.test(code) ? (countryNames.of(code.toUpperCase()) ?? code) : code;
}

/** Each APN or rating group, followed by its countries and their late usage. */
const rowsOf = ({ groups }: Bill): readonly Row[] =>
  groups.flatMap(({ name, countries, delayed, ...sum }) => {
    const group = name === '' ? 'Unknown' : name;
    return [
      { ...sum, key: name, group, country: 'All countries', kind: 'sum' as const },
      ...countries.map(({ countryCode, ...its }) => ({
        ...its,
        key: `${name} ${countryCode}`,
        group: '',
        country: countryOf(countryCode),
        kind: 'country' as const,
      })),
      ...delayed.map(({ countryCode, ...its }) => ({
        ...its,
        key: `${name} ${countryCode} late`,
        group: '',
        country: countryOf(countryCode),
        kind: 'delayed' as const,
      })),
    ];
  });

const columnsOf = ({
  by,
  currency = 'USD',
}: Partial<Pick<Bill, 'by' | 'currency'>>): readonly Column<Row>[] => [
  {
    title: by === 'apn' ? 'APN' : 'Rating group',
    text: ({ key, group }) => group || key,
    width: 'minmax(110px, 1fr)',
    cell: ({ group }) => <strong>{group}</strong>,
  },
  {
    title: 'Country',
    text: ({ country, kind }) => (kind === 'delayed' ? `${country}, late` : country),
    width: 'minmax(120px, 1fr)',
    cell: ({ country, kind }) => (
      <>
        {country} {kind === 'delayed' && <Badge tone="warn">late</Badge>}
      </>
    ),
  },
  {
    title: 'Billed',
    text: ({ amount }) => String(amount),
    width: '120px',
    align: 'right',
    cell: ({ amount }) => formatMoney(amount, currency),
  },
  {
    title: 'All usage',
    text: ({ totalBytes }) => String(totalBytes),
    wide: true,
    width: '120px',
    align: 'right',
    cell: ({ totalBytes }) => formatBytes(totalBytes),
  },
  {
    title: 'Billed usage',
    text: ({ billedBytes }) => String(billedBytes),
    wide: true,
    width: '120px',
    align: 'right',
    cell: ({ billedBytes }) => formatBytes(billedBytes),
  },
];

export function BillTable({
  bill,
  error,
  retry,
}: {
  readonly bill: Bill | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}) {
  const by = bill?.by === 'apn' ? 'APN' : 'rating group';
  return (
    <Card title={`By ${by} and country`} flush>
      <ReadProblem error={error} data={bill} retry={retry} />
      {(bill !== undefined || error === null) && (
        <ToolTable
          label="Bill"
          file="bill"
          columns={columnsOf(bill ?? {})}
          rows={bill && rowsOf(bill)}
          keyOf={({ key }) => key}
          height={420}
          minWidth={600}
          empty={<Empty title="No usage in this month" />}
        />
      )}
    </Card>
  );
}
