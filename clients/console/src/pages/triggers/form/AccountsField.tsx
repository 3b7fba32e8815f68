import { useId, useState } from 'react';
import { CheckField } from '../../../parts/fields.tsx';
import type { TriggerForm } from './form.ts';

/** Above this number, a search field filters by part of the name. */
const SEEN_AT_ONCE = 6;

interface AccountsFieldProps {
  readonly form: TriggerForm;
  readonly of: 'accounts' | 'suspendFrom';
  readonly label: string;
  readonly hint?: string;
  readonly path: string;
}

/** A choice among the viewer's accounts. Accounts that someone else added stay until removed. */
export function AccountsField({ form, of, label, hint, path }: AccountsFieldProps) {
  const { draft, set, problemUnder, options } = form;
  const id = useId();
  const [search, setSearch] = useState('');
  const chosen = draft[of];
  const offered = options?.accounts ?? [];
  const others = chosen
    .filter((name) => !offered.some(({ accountName }) => accountName === name))
    .map((accountName) => ({ accountName, organizationName: null }));
  const all = [...others, ...offered];
  const shown = all.filter(({ accountName, organizationName }) =>
    `${accountName} ${organizationName ?? ''}`.toLowerCase().includes(search.trim().toLowerCase()),
  );
  const problem = problemUnder(path);
  const about = problem ?? hint;
  return (
    <fieldset className="field" aria-describedby={about === undefined ? undefined : id}>
      <legend>{label}</legend>
      {all.length > SEEN_AT_ONCE && (
        <input
          className="input"
          type="search"
          aria-label={`Search ${label.toLowerCase()}`}
          placeholder="Part of the name"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <div className="trigger-accounts">
        {shown.map(({ accountName, organizationName }) => (
          <CheckField
            key={accountName}
            label={organizationName === null ? accountName : `${accountName} ${organizationName}`}
            checked={chosen.includes(accountName)}
            onChange={({ target: { checked } }) =>
              set({
                [of]: checked ? [...chosen, accountName] : chosen.filter((name) => name !== accountName),
              })
            }
          />
        ))}
      </div>
      {about !== undefined && (
        <small id={id} role={problem === undefined ? undefined : 'alert'}>
          {about}
        </small>
      )}
    </fieldset>
  );
}
