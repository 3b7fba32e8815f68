import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ListenedService, removeListener } from '../../api/callbacks.ts';
import { useAccount } from '../../app/account.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { useToasts } from '../../parts/toasts.tsx';

export function RemoveDialog({
  serviceName,
  onClose,
}: {
  readonly serviceName: ListenedService;
  readonly onClose: () => void;
}) {
  const accountName = useAccount();
  const queries = useQueryClient();
  const { say } = useToasts();
  const removing = useMutation({
    mutationFn: () => removeListener(accountName, serviceName),
    onSuccess: async () => {
      say(`${serviceName} has no listener now`);
      await queries.invalidateQueries({ queryKey: ['callbacks'] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Remove the listener of ${serviceName}?`}
      action="Remove"
      busy={removing.isPending}
      error={removing.error}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    >
      <p>Callbacks that wait for it fail, and can be re-sent to another listener. Its secret is deleted.</p>
    </ConfirmDialog>
  );
}
