import { useState } from 'react';
import type { AlertFilter } from '../../api/alerts.ts';
import { PageHead } from '../../parts/PageHead.tsx';
import { AlertTable } from './AlertTable.tsx';

const STATES = ['raised', 'cleared'] as const;

export default function Alerts() {
  const [state, setState] = useState<AlertFilter['state']>();
  return (
    <>
      <PageHead title="Smart alerts">
        <select
          className="input"
          style={{ width: 150 }}
          aria-label="State"
          value={state ?? ''}
          onChange={({ target }) => setState(STATES.find((one) => one === target.value))}
        >
          <option value="">Every state</option>
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
