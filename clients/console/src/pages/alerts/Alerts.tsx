import { useState } from 'react';
import { PageHead } from '../../parts/PageHead.tsx';
import { AlertTable } from './AlertTable.tsx';

export default function Alerts() {
  const [state, setState] = useState('');
  return (
    <>
      <PageHead title="Smart alerts">
        <select
          className="input"
          style={{ width: 150 }}
          aria-label="State"
          value={state}
          onChange={(event) => setState(event.target.value)}
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
