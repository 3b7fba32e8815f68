import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { deleteTrigger, type TriggerKind } from '../../api/triggers.ts';
import { useAccount } from '../../app/account.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { useToasts } from '../../parts/toasts.tsx';

export function DeleteDialog({
  kind,
  trigger: { triggerId, triggerName },
  onClose,
}: {
  readonly kind: TriggerKind;
  readonly trigger: { readonly triggerId: string; readonly triggerName: string };
  readonly onClose: () => void;
}) {
  const accountName = useAccount();
  const queries = useQueryClient();
  const { say } = useToasts();
  const [, navigate] = useLocation();
  const deleting = useMutation({
    mutationFn: () => deleteTrigger(accountName, kind, triggerId),
    onSuccess: () => {
      say(`${triggerName} deleted`);
      navigate(`/accounts/${accountName}/triggers${kind === 'usage' ? '/usage' : ''}`);
      return queries.invalidateQueries({ queryKey: ['triggers', accountName, kind], exact: true });
    },
  });
  return (
    <ConfirmDialog
      title={`Delete ${triggerName}?`}
      action="Delete"
      busy={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    >
      <p>It will no longer fire. Its past firings stay on record.</p>
    </ConfirmDialog>
  );
}
