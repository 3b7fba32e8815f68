import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeRelation, listManaged, type Relation, type Service } from '../../api/managed.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { ReadProblem, Skeleton } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { RelationBadge } from './state.tsx';

type Change = (action: 'activate' | 'cancel', relation: Relation) => void;

/** An account that offers to pay for this one, or does. */
function OwnRelation({
  relation,
  busy,
  onChange,
}: {
  readonly relation: Relation;
  readonly busy: boolean;
  readonly onChange: Change | undefined;
}) {
  const isAdded = relation.state === 'added';
  return (
    <>
      <dl className="facts">
        <dt>{isAdded ? 'Offered billing with' : 'Billed with'}</dt>
        <dd className="mono">{relation.paccountName}</dd>
        <dt>SKU</dt>
        <dd>{relation.skuName}</dd>
        <dt>State</dt>
        <dd>
          <RelationBadge state={relation.state} />
        </dd>
      </dl>
      {onChange && (
        <p className="row">
          {isAdded && (
            <Button kind="main" busy={busy} onClick={() => onChange('activate', relation)}>
              Activate
            </Button>
          )}
          <Button kind="danger" busy={busy} onClick={() => onChange('cancel', relation)}>
            {isAdded ? 'Decline' : 'Cancel activation'}
          </Button>
        </p>
      )}
    </>
  );
}

/** How this account is billed. Only its own users can accept or decline. */
export function OwnCard({ service }: { readonly service: Service }) {
  const accountName = useAccount();
  const session = useSession();
  const queries = useQueryClient();
  const { say, complain } = useToasts();
  const own = useQuery({
    queryKey: ['managed', accountName, service, 'own'],
    queryFn: ({ signal }) => listManaged(accountName, service, undefined, signal),
  });
  const [leaving, setLeaving] = useState<Relation | undefined>();
  const changing = useMutation({
    mutationFn: ({ action, relation }: { action: 'activate' | 'cancel'; relation: Relation }) =>
      changeRelation(service, action, relation),
    onSuccess: ({ status, reason }, { action, relation }) => {
      const done = relation.state === 'added' ? 'Declined' : 'Cancelled';
      say(status === 'Fail' ? reason : action === 'activate' ? 'Activated' : done);
    },
    onError: complain,
    onSettled: () => {
      setLeaving(undefined);
      return queries.invalidateQueries({ queryKey: ['managed'] });
    },
  });
  const change: Change = (action, relation) =>
    action === 'cancel' && relation.state === 'provisioned'
      ? setLeaving(relation)
      : changing.mutate({ action, relation });
  const relations = own.data?.own;
  return (
    <Card title="This account" span={4}>
      <div className="stack" style={{ minHeight: 148, alignContent: 'start' }}>
        <ReadProblem error={own.error} data={own.data} retry={() => void own.refetch()} />
        {own.isPending && <Skeleton height={120} />}
        {relations?.length === 0 && <p className="soft">Billed separately.</p>}
        {relations?.map((relation) => (
          <OwnRelation
            key={relation.paccountName}
            relation={relation}
            busy={changing.isPending}
            onChange={mayChange(session, 'fleet') ? change : undefined}
          />
        ))}
        {leaving && (
          <ConfirmDialog
            title="Cancel the activation?"
            action="Cancel activation"
            keep="Keep it"
            busy={changing.isPending}
            error={null}
            onConfirm={() => changing.mutate({ action: 'cancel', relation: leaving })}
            onClose={() => setLeaving(undefined)}
          >
            <p>
              The service will no longer be billed with {leaving.paccountName}. To activate it again, that
              account must first add this one again.
            </p>
          </ConfirmDialog>
        )}
      </div>
    </Card>
  );
}
