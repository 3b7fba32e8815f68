import { changeGroup, createGroup, type Group, type GroupEntry } from '../../api/plans.ts';
import { Button } from '../../parts/Button.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { TextArea, TextField } from '../../parts/fields.tsx';
import { useSave } from '../../parts/use-save.ts';
import { listed } from '../../text/listed.ts';

const NAMES = /[\s,;]+/;

function readEntry(form: FormData, group: Group | undefined): GroupEntry {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  return {
    ecpdId: group?.ecpdId ?? text('ecpdId'),
    ratePlanGroupId: group?.ratePlanGroupId ?? Number(text('ratePlanGroupId')),
    planCodes: listed(text('planCodes'), /\n/),
    accounts: listed(text('accounts'), NAMES),
  };
}

/** The fields that identify a group. */
function Key({ isTaken }: { readonly isTaken: boolean }) {
  return (
    <>
      <TextField
        label="Customer"
        name="ecpdId"
        required
        maxLength={32}
        pattern="[0-9A-Za-z\-]{1,32}"
        title="Digits, letters and dashes"
        data-first-focus
      />
      <TextField
        label="Number"
        name="ratePlanGroupId"
        type="number"
        required
        min={1}
        step={1}
        problem={isTaken ? 'The customer already has this group.' : undefined}
      />
    </>
  );
}

/** Share plans of a customer that form one pool, and the accounts whose lines draw from it. */
export function GroupDialog({
  group,
  onDelete,
  onClose,
}: {
  readonly group: Group | undefined;
  /** Set when the viewer may delete it. */
  readonly onDelete: (() => void) | undefined;
  readonly onClose: () => void;
}) {
  const isNew = group === undefined;
  const saving = useSave(
    async (entry: GroupEntry) => {
      if (isNew) return createGroup(entry);
      await changeGroup(entry);
      return true;
    },
    { done: isNew ? 'Group created' : 'Group changed', topics: ['plans'], onClose },
  );
  // Saving replaces the whole list, so a list that is not fully loaded cannot be edited here.
  const isWhole = isNew || group.accounts.length === group.accountCount;
  return (
    <FormDialog
      title={isNew ? 'New rate plan group' : `Group ${group.ratePlanGroupId} of ${group.ecpdId}`}
      action={isNew ? 'Create' : 'Save'}
      saving={saving}
      isBlocked={!isWhole}
      extra={
        onDelete && (
          <Button kind="plain" onClick={onDelete}>
            Delete group
          </Button>
        )
      }
      onSave={(form) => saving.mutate(readEntry(form, group))}
      onClose={onClose}
    >
      {isNew && <Key isTaken={saving.data === false} />}
      <TextArea
        label="Plans"
        name="planCodes"
        required
        defaultValue={group?.planCodes.join('\n')}
        hint="Codes, one per line. All others are removed."
      />
      <TextArea
        label="Accounts"
        name="accounts"
        defaultValue={group?.accounts.join('\n')}
        hint="One per line. All others are removed."
      />
      {!isWhole && <p role="note">This group has too many accounts to edit here. Use a fleet document.</p>}
    </FormDialog>
  );
}
