import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type LogFilter, resend } from '../../api/callbacks.ts';
import { useAccount } from '../../app/account.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { useToasts } from '../../parts/toasts.tsx';

export type ResendScope = Pick<LogFilter, 'serviceName' | 'requestId'>;

function scopeWords({ serviceName, requestId }: ResendScope): string {
  const which = [
    serviceName !== undefined && `of ${serviceName}`,
    requestId !== undefined && `of the request ${requestId}`,
  ].filter(Boolean);
  return which.length === 0 ? 'of the account, whatever its service' : which.join(' ');
}

/** Listeners may act on each message once more: says which ones before they are sent. */
export function ResendDialog({
  scope,
  onClose,
}: {
  readonly scope: ResendScope;
  readonly onClose: () => void;
}) {
  const accountName = useAccount();
  const queries = useQueryClient();
  const { say } = useToasts();
  const resending = useMutation({
    mutationFn: () => resend(accountName, scope),
    onSuccess: ({ resent }) => {
      say(`${resent} sent again`);
      onClose();
      return queries.invalidateQueries({ queryKey: ['callbacks'] });
    },
  });
  return (
    <ConfirmDialog
      title="Re-send what failed?"
      action="Re-send"
      busy={resending.isPending}
      error={resending.error}
      onConfirm={() => resending.mutate()}
      onClose={onClose}
    >
      <p>Every failed callback {scopeWords(scope)} is sent again, in a new series of attempts.</p>
    </ConfirmDialog>
  );
}
