import type { AlertFilter } from '../../api/alerts.ts';
import { useFilter } from '../../app/use-filter.ts';
import { PageHead } from '../../parts/PageHead.tsx';
import { AlertTable } from './AlertTable.tsx';

const STATES = ['raised', 'cleared'] as const;

export default function Alerts() {
  const [named, setState] = useFilter('state');
  const state: AlertFilter['state'] = STATES.find((one) => one === named);
  return (
    <>
      <PageHead title="Smart alerts">
        <select
          className="input"
          style={{ width: 150 }}
          aria-label="State"
          value={state ?? ''}
          onChange={({ target }) => setState(target.value)}
        >
          <option value="">All states</option>
          <option value="raised">Raised</option>
          <option value="cleared">Cleared</option>
        </select>
      </PageHead>
      <div className="card">
        <AlertTable filter={{ state }} height="fill" />
      </div>
    </>
  );
}
