import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listRuleVersions, type RuleFields, type RuleVersion } from '../../api/records.ts';
import { useAccount } from '../../app/account.tsx';
import { Button } from '../../parts/Button.tsx';
import { Problem, Skeleton } from '../../parts/states.tsx';
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
  version: { at, actorKind, actor, change, before, after },
}: {
  readonly version: RuleVersion;
}) {
  const changed = FIELDS.filter(([field]) => before?.[field] !== after?.[field]);
  return (
    <li>
      <p className="small">
        <strong>{formatTime(at)}</strong> {change} by {actorKind === 'operator' ? `operator ${actor}` : actor}
        {changed.length === 0 && <span className="soft">, as it was</span>}
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
  const list = useInfiniteQuery({
    queryKey: ['records', accountName, 'versions', ruleId],
    queryFn: ({ pageParam, signal }) => listRuleVersions(accountName, ruleId, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  if (list.isError) return <Problem error={list.error} retry={() => void list.refetch()} />;
  if (list.isPending) return <Skeleton height={80} />;
  const versions = list.data.pages.flatMap((page) => page.versions);
  return (
    <>
      {versions.length === 0 && <p className="small soft">The audit log does not go back so far.</p>}
      <ul className="rule-versions" aria-label="Versions">
        {versions.map((version) => (
          <Version key={version.id} version={version} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button onClick={() => void list.fetchNextPage()} busy={list.isFetchingNextPage}>
          Earlier ones
        </Button>
      )}
    </>
  );
}

/** How the rule came to be what it is; read when somebody wants to know. */
export function RuleVersions({ ruleId }: { readonly ruleId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="rule-history" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Versions</summary>
      {open && <Versions ruleId={ruleId} />}
    </details>
  );
}
