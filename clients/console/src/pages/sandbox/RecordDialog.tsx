import { useMutation } from '@tanstack/react-query';
import { recordAccount } from '../../api/scenarios.ts';
import { recallAccount } from '../../app/last-account.ts';
import { useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { TextField } from '../../parts/fields.tsx';
import { saveAs } from '../../parts/save-as.ts';
import { formatCount } from '../../text/format.ts';

const ACCOUNT = 'account';

/** Turns an account's calls in the request log into a scenario file. */
export function RecordDialog({ onClose }: { readonly onClose: () => void }) {
  const session = useSession();
  const recording = useMutation({
    mutationFn: recordAccount,
    onSuccess: (recorded, accountName) => {
      if (recorded !== null) saveAs(`${accountName}.json`, recorded.text);
    },
  });
  const { data } = recording;
  if (data)
    return (
      <Dialog title="Scenario saved" onClose={onClose}>
        <div className="form">
          <p>{formatCount(data.steps, 'step', 'steps')}. It contains the account's current fleet.</p>
          {data.notes.length > 0 && (
            <ul className="bullets">
              {data.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          )}
          <div className="form-actions">
            <Button kind="main" onClick={onClose}>
              Close
            </Button>
          </div>
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      title="Record a scenario"
      action="Save as a file"
      saving={recording}
      onSave={(form) => recording.mutate(String(form.get(ACCOUNT)).trim())}
      onClose={onClose}
    >
      <p>
        The account's calls in the request log become the steps of a scenario, and their results become its
        checks.
      </p>
      <TextField
        label="Account"
        name={ACCOUNT}
        required
        maxLength={32}
        defaultValue={recallAccount(session) ?? ''}
        problem={data === null ? 'The request log has no calls of this account.' : undefined}
        data-first-focus
      />
    </FormDialog>
  );
}
