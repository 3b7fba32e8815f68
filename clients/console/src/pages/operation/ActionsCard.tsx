import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readActions, setActions } from '../../api/operation.ts';
import { mayAs, useSession } from '../../app/session.tsx';
import { Badge } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { ReadProblem, Skeleton } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';

export function ActionsCard() {
  const session = useSession();
  const queries = useQueryClient();
  const { say, complain } = useToasts();
  const [asked, setAsked] = useState(false);
  const actions = useQuery({ queryKey: ['actions'], queryFn: ({ signal }) => readActions(signal) });
  const setting = useMutation({
    mutationFn: setActions,
    onSuccess: ({ paused }) => {
      say(paused ? 'Trigger actions paused' : 'Trigger actions resumed');
      return queries.invalidateQueries({ queryKey: ['actions'] });
    },
    onError: complain,
    onSettled: () => setAsked(false),
  });
  const paused = actions.data?.paused;
  return (
    <Card title="Trigger actions" span={4}>
      <div className="stack" style={{ minHeight: 120 }}>
        <ReadProblem error={actions.error} data={actions.data} retry={() => void actions.refetch()} />
        {actions.isPending && <Skeleton height={90} />}
        {paused !== undefined && (
          <>
            <div>{paused ? <Badge tone="warn">Paused</Badge> : <Badge tone="good">Active</Badge>}</div>
            <p className="soft small">
              While actions are paused, triggers still fire and notify, but do not suspend devices or change
              plans.
            </p>
            {mayAs(session, 'admin') && (
              <div>
                <Button
                  kind={paused ? 'main' : 'danger'}
                  busy={setting.isPending}
                  onClick={() => (paused ? setting.mutate(false) : setAsked(true))}
                >
                  {paused ? 'Resume' : 'Pause'}
                </Button>
              </div>
            )}
            {asked && (
              <ConfirmDialog
                title="Pause the actions of all triggers?"
                action="Pause"
                busy={setting.isPending}
                error={null}
                onConfirm={() => setting.mutate(true)}
                onClose={() => setAsked(false)}
              >
                <p>
                  This affects every account: lines over their limit stay in service until you resume actions.
                </p>
              </ConfirmDialog>
            )}
          </>
        )}
      </div>
    </Card>
  );
}
