import { useFilter } from './use-filter.ts';

const DAYS = [
  [7, '7 days'],
  [30, '30 days'],
  [60, '60 days'],
  [90, '90 days'],
  [365, '1 year'],
] as const;
const USUAL = 60;

/** Number of days in the charts, kept in the address. */
export function usePeriod(): readonly [number, (days: number) => void] {
  const [named, setNamed] = useFilter('days');
  const days = DAYS.find(([known]) => String(known) === named)?.[0] ?? USUAL;
  return [days, (next) => setNamed(next === USUAL ? '' : String(next))];
}

export function PeriodPicker({
  days,
  onPick,
}: {
  readonly days: number;
  readonly onPick: (days: number) => void;
}) {
  return (
    <select
      className="input"
      style={{ width: 120 }}
      aria-label="Period of the charts"
      value={days}
      onChange={(event) => onPick(Number(event.target.value))}
    >
      {DAYS.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}
