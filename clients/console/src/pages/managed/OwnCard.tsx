import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeOwnRelation, type Relation, readOwnRelation, type Service } from '../../api/managed.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { ReadProblem, Skeleton } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { RelationBadge } from './state.tsx';

/** How this account is billed itself. It agrees, and takes that back, for itself: nobody does in its place. */
export function OwnCard({ service }: { readonly service: Service }) {
  const accountName = useAccount();
  const session = useSession();
  const queries = useQueryClient();
  const { say, complain } = useToasts();
  const own = useQuery({
    queryKey: ['managed', accountName, service, 'own'],
    queryFn: ({ signal }) => readOwnRelation(accountName, service, signal),
  });
  const changing = useMutation({
    mutationFn: ({ action, relation }: { action: 'activate' | 'cancel'; relation: Relation }) =>
      changeOwnRelation(accountName, service, action, relation),
    onSuccess: ({ status, reason }, { action }) =>
      say(status === 'Fail' ? reason : action === 'activate' ? 'Activated' : 'Cancelled'),
    onError: complain,
    onSettled: () => {
      setAsked(false);
      return queries.invalidateQueries({ queryKey: ['managed'] });
    },
  });
  const [asked, setAsked] = useState(false);
  const relation = own.data?.relation;
  const action = relation?.state === 'added' ? 'activate' : 'cancel';
  return (
    <Card title="This account" span={4}>
      <div className="stack" style={{ minHeight: 148, alignContent: 'start' }}>
        <ReadProblem error={own.error} data={own.data} retry={() => void own.refetch()} />
        {own.isPending && <Skeleton height={120} />}
        {relation === null && <p className="soft">It is billed by itself.</p>}
        {relation && (
          <>
            <dl className="facts">
              <dt>Billed with</dt>
              <dd className="mono">{relation.paccountName}</dd>
              <dt>SKU</dt>
              <dd>{relation.skuName}</dd>
              <dt>State</dt>
              <dd>
                <RelationBadge state={relation.state} />
              </dd>
            </dl>
            {relation.state !== 'cancelled' && mayChange(session, 'fleet') && (
              <p>
                <Button
                  kind={action === 'activate' ? 'main' : 'danger'}
                  busy={changing.isPending}
                  onClick={() =>
                    action === 'cancel' ? setAsked(true) : changing.mutate({ action, relation })
                  }
                >
                  {action === 'activate' ? 'Activate' : 'Cancel activation'}
                </Button>
              </p>
            )}
            {asked && (
              <ConfirmDialog
                title="Cancel the activation?"
                action="Cancel activation"
                keep="Keep it"
                busy={changing.isPending}
                error={null}
                onConfirm={() => changing.mutate({ action, relation })}
                onClose={() => setAsked(false)}
              >
                <p>
                  The service is no longer billed with {relation.paccountName}, which has to add this account
                  again before it can be activated.
                </p>
              </ConfirmDialog>
            )}
          </>
        )}
      </div>
    </Card>
  );
}
