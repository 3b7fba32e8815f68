import { useState } from 'react';
import { changeGroup, createGroup, type Group, type GroupEntry } from '../../api/plans.ts';
import { Button } from '../../parts/Button.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { TextArea, TextField } from '../../parts/fields.tsx';
import { ErrorText } from '../../parts/states.tsx';
import { listed, useSave } from './use-save.ts';

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

/** Share plans of a customer that are one pool, and the accounts whose lines draw from it. */
export function GroupDialog({
  group,
  onClose,
}: {
  readonly group: Group | undefined;
  readonly onClose: () => void;
}) {
  const [isFilled, setFilled] = useState(false);
  const saving = useSave(
    async (entry: GroupEntry) => {
      if (group === undefined) return createGroup(entry);
      await changeGroup(entry);
      return true;
    },
    group === undefined ? 'The group is made' : 'The group is changed',
    onClose,
  );
  // The list is replaced whole: one that is not here as a whole cannot be edited here.
  const isWhole = group === undefined || group.accounts.length === group.accountCount;
  return (
    <Dialog
      title={
        group === undefined ? 'New rate plan group' : `Group ${group.ratePlanGroupId} of ${group.ecpdId}`
      }
      isFilled={isFilled}
      onClose={onClose}
    >
      <form
        className="form"
        onChange={() => setFilled(true)}
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate(readEntry(new FormData(event.currentTarget), group));
        }}
      >
        {group === undefined && (
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
              problem={saving.data === false ? 'The customer has this group already.' : undefined}
            />
          </>
        )}
        <TextArea
          label="Plans"
          name="planCodes"
          required
          defaultValue={group?.planCodes.join('\n')}
          hint="Codes, one in a line. Others are taken out."
        />
        <TextArea
          label="Accounts"
          name="accounts"
          defaultValue={group?.accounts.join('\n')}
          hint="One in a line. Others are taken out."
        />
        {!isWhole && <p role="note">A group of so many accounts is changed by a fleet document.</p>}
        {saving.isError && <ErrorText error={saving.error} />}
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" busy={saving.isPending} disabled={!isWhole}>
            {group === undefined ? 'Create' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
