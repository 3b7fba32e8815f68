import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DeviceFilter } from '../../api/devices.ts';
import { listServicePlans } from '../../api/lines.ts';
import { useAccount } from '../../app/account.tsx';
import { useFilter, useTypedFilter } from '../../app/use-filter.ts';
import { stateWord } from '../../parts/Badge.tsx';

const STATES = ['active', 'suspend', 'pre-active', 'deactive'] as const;
const NETWORKS: readonly [string, string][] = [
  ['online', 'Online'],
  ['offline', 'Offline'],
];

function Choice({
  label,
  every,
  value,
  onChange,
  options,
}: {
  readonly label: string;
  readonly every: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly (readonly [value: string, text: string])[];
}) {
  return (
    <select
      className="input"
      style={{ width: 140 }}
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{every}</option>
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** The filters of the list, kept in the address. */
export function useDeviceFilters(): { readonly filter: DeviceFilter; readonly fields: ReactNode } {
  const accountName = useAccount();
  const search = useTypedFilter('search');
  const label = useTypedFilter('label');
  const [state, setState] = useFilter('state');
  const [plan, setPlan] = useFilter('plan');
  const [network, setNetwork] = useFilter('network');
  const plans = useQuery({
    queryKey: ['plans', accountName],
    queryFn: ({ signal }) => listServicePlans(accountName, signal),
  });
  const codes = new Set([...(plan === '' ? [] : [plan]), ...(plans.data ?? []).map(({ code }) => code)]);
  const filter: DeviceFilter = {
    search: search.settled || undefined,
    state: STATES.find((one) => one === state),
    plan: plan || undefined,
    label: label.settled || undefined,
    online: network === '' ? undefined : network === 'online',
  };
  const fields = (
    <>
      <input
        className="input"
        style={{ width: 240 }}
        type="search"
        aria-label="Search devices"
        placeholder="Identifier or name"
        maxLength={64}
        value={search.typed}
        onChange={({ target }) => search.setTyped(target.value)}
      />
      <Choice
        label="State"
        every="All states"
        value={filter.state ?? ''}
        onChange={setState}
        options={STATES.map((one) => [one, stateWord(one)])}
      />
      <Choice
        label="Plan"
        every="All plans"
        value={plan}
        onChange={setPlan}
        options={[...codes].map((code) => [code, code])}
      />
      <Choice
        label="Network"
        every="Online and offline"
        value={network}
        onChange={setNetwork}
        options={NETWORKS}
      />
      <input
        className="input"
        style={{ width: 150 }}
        type="search"
        aria-label="Label"
        placeholder="Label=value"
        maxLength={300}
        value={label.typed}
        onChange={({ target }) => label.setTyped(target.value)}
      />
    </>
  );
  return { filter, fields };
}
