import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Listeners, sendTestEvent } from '../../api/callbacks.ts';
import { useAccount } from '../../app/account.tsx';
import { Button } from '../../parts/Button.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { SelectField } from '../../parts/fields.tsx';
import { ErrorText } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';

/** Sends a sample of any message: signed, tried again and logged as a real one. */
export function TestEventDialog({
  services,
  listeners,
  onClose,
}: Listeners & { readonly onClose: () => void }) {
  const accountName = useAccount();
  const queries = useQueryClient();
  const { say } = useToasts();
  const heard = new Set<string>(listeners.map(({ serviceName }) => serviceName));
  const events = services
    .filter((service) => service.events.length > 0)
    .toSorted((a, b) => Number(heard.has(b.serviceName)) - Number(heard.has(a.serviceName)))
    .flatMap(({ serviceName, events: some }) => some.map((event) => ({ ...event, serviceName })));
  const [name, setName] = useState(events[0]?.name);
  const chosen = events.find((event) => event.name === name);
  const sending = useMutation({
    mutationFn: async () => {
      if (name !== undefined) await sendTestEvent(accountName, name);
    },
    onSuccess: () => {
      say(`${name} is sent`);
      onClose();
      return queries.invalidateQueries({ queryKey: ['callbacks'] });
    },
  });
  return (
    <Dialog title="Send a test event" onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          sending.mutate();
        }}
      >
        <SelectField
          label="Event"
          value={name}
          onChange={({ target }) => setName(events.find((event) => event.name === target.value)?.name)}
          options={events.map((event) => ({
            value: event.name,
            label: `${event.serviceName}: ${event.name}`,
          }))}
          hint={chosen?.summary}
        />
        {chosen !== undefined && !heard.has(chosen.serviceName) && (
          <p className="small soft">
            The account has no listener of {chosen.serviceName}: it will be logged as failed.
          </p>
        )}
        {sending.isError && <ErrorText error={sending.error} />}
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" busy={sending.isPending}>
            Send
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
