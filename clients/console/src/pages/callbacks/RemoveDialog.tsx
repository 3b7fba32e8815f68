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
      say(`Listener of ${serviceName} removed`);
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
      <p>Its waiting callbacks fail; you can re-send them to another listener. Its secret is deleted.</p>
    </ConfirmDialog>
  );
}
