import { useState } from 'react';
import { listRuleVersions, type RuleFields, type RuleVersion } from '../../api/records.ts';
import { useAccount } from '../../app/account.tsx';
import { usePages } from '../../app/use-pages.ts';
import { Button } from '../../parts/Button.tsx';
import { ReadProblem, Skeleton } from '../../parts/states.tsx';
import { formatTime } from '../../text/format.ts';
import './records.css';

const FIELDS = [
  ['name', 'Name'],
  ['description', 'Description'],
  ['disabled', 'Enabled'],
  ['syntax', 'Syntax'],
  ['chain', 'Rule chain'],
] as const satisfies readonly (readonly [keyof RuleFields, string])[];

const shownValue = (fields: RuleFields, field: keyof RuleFields): string =>
  field === 'disabled' ? (fields.disabled ? 'no' : 'yes') : fields[field];

function Version({
  version: { at, actorkind, actor, change, before, after },
}: {
  readonly version: RuleVersion;
}) {
  const changed = FIELDS.filter(([field]) => before?.[field] !== after?.[field]);
  return (
    <li>
      <p className="small">
        <strong>{formatTime(at)}</strong> {change} by {actorkind === 'operator' ? `operator ${actor}` : actor}
        {changed.length === 0 && <span className="soft"> without changes</span>}
      </p>
      {changed.map(([field, label]) => (
        <div key={field} className="rule-change">
          <span className="small soft">{label}</span>
          {before !== null && (
            <del>
              <span className="hidden-text">Before: </span>
              {shownValue(before, field) || '–'}
            </del>
          )}
          {after !== null && (
            <ins>
              <span className="hidden-text">After: </span>
              {shownValue(after, field) || '–'}
            </ins>
          )}
        </div>
      ))}
    </li>
  );
}

function Versions({ ruleId }: { readonly ruleId: string }) {
  const accountName = useAccount();
  const list = usePages(['records', accountName, 'versions', ruleId], (mark, signal) =>
    listRuleVersions(accountName, ruleId, mark, signal),
  );
  const versions = list.pages?.flatMap((page) => page.versions);
  return (
    <>
      <ReadProblem error={list.error} data={versions} retry={list.retry} />
      {versions === undefined && list.error === null && <Skeleton height={80} />}
      {versions?.length === 0 && <p className="small soft">The audit log does not go back that far.</p>}
      <ul className="rule-versions" aria-label="Versions">
        {versions?.map((version) => (
          <Version key={version.id} version={version} />
        ))}
      </ul>
      {list.hasMore && (
        <Button onClick={list.readMore} busy={list.isReadingMore}>
          Show earlier versions
        </Button>
      )}
    </>
  );
}

/** The history of the rule, loaded when opened. */
export function RuleVersions({ ruleId }: { readonly ruleId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="rule-history" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Versions</summary>
      {open && <Versions ruleId={ruleId} />}
    </details>
  );
}
