import { useMutation, useQueryClient } from '@tanstack/react-query';
import { NotAnObject } from '../../api/exact-json.ts';
import { changeRecord, type RecordDetail } from '../../api/records.ts';
import { useAccount } from '../../app/account.tsx';
import { Button } from '../../parts/Button.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { TextArea, TextField } from '../../parts/fields.tsx';
import { ErrorText } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';

export function RecordDialog({
  record,
  onClose,
}: {
  readonly record: RecordDetail;
  readonly onClose: () => void;
}) {
  const accountName = useAccount();
  const queries = useQueryClient();
  const { say } = useToasts();
  const saving = useMutation({
    mutationFn: (form: FormData) => {
      const text = (name: string) => String(form.get(name) ?? '').trim();
      return changeRecord(accountName, record, {
        name: text('name'),
        description: text('description'),
        customData: text('customData'),
      });
    },
    onSuccess: async () => {
      say('Record changed');
      await queries.invalidateQueries({ queryKey: ['records'] });
      onClose();
    },
  });
  const { error } = saving;
  const isData = error instanceof NotAnObject;
  return (
    <Dialog title={`Change ${record.name ?? 'the record'}`} wide onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate(new FormData(event.currentTarget));
        }}
      >
        <TextField label="Name" name="name" maxLength={200} defaultValue={record.name ?? ''} />
        <TextField
          label="Description"
          name="description"
          maxLength={1_000}
          defaultValue={record.description ?? ''}
        />
        <TextArea
          label="Custom data"
          name="customData"
          rows={10}
          spellCheck={false}
          hint="A JSON object. It replaces the old one."
          problem={isData ? 'This is not a JSON object' : undefined}
          defaultValue={record.customData}
        />
        {saving.isError && !isData && <ErrorText error={error} />}
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" busy={saving.isPending}>
            Change
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
