import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Line, renameDevice } from '../api/lines.ts';
import { useAccount } from '../app/account.tsx';
import { Button } from '../parts/Button.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { ErrorText } from '../parts/states.tsx';
import { useToasts } from '../parts/toasts.tsx';

export function RenameDialog({ line, onClose }: { readonly line: Line; readonly onClose: () => void }) {
  const accountName = useAccount();
  const queries = useQueryClient();
  const { say } = useToasts();
  const saving = useMutation({
    mutationFn: (name: string) => renameDevice(accountName, line.deviceId, name),
    onSuccess: async () => {
      say('Device renamed');
      await queries.invalidateQueries({ queryKey: ['devices', accountName] });
      await queries.invalidateQueries({ queryKey: ['records'] });
      onClose();
    },
  });
  return (
    <Dialog title="Rename" onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate(String(new FormData(event.currentTarget).get('name') ?? '').trim());
        }}
      >
        <TextField label="Name" name="name" maxLength={200} defaultValue={line.name ?? ''} />
        {saving.isError && <ErrorText error={saving.error} />}
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" busy={saving.isPending}>
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
