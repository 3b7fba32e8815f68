import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ListenedService, type Listeners, registerListener } from '../../api/callbacks.ts';
import { useAccount } from '../../app/account.tsx';
import { Button } from '../../parts/Button.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { CheckField, SelectField, TextField } from '../../parts/fields.tsx';
import { ShownOnce } from '../../parts/ShownOnce.tsx';
import { ErrorText } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';

interface ListenerDialogProps extends Listeners {
  /** Of the listener that is changed; absent for a new one. */
  readonly serviceName: ListenedService | undefined;
  readonly onClose: () => void;
}

export function ListenerDialog({ listeners, services, serviceName, onClose }: ListenerDialogProps) {
  const accountName = useAccount();
  const queries = useQueryClient();
  const { say } = useToasts();
  const known = listeners.find((one) => one.serviceName === serviceName);
  const [removes, setRemoves] = useState(false);
  const registering = useMutation({
    mutationFn: (form: FormData) => {
      const text = (name: string) => String(form.get(name) ?? '').trim();
      const chosen =
        serviceName ?? services.find((one) => one.serviceName === text('serviceName'))?.serviceName;
      if (chosen === undefined) throw new Error('no service is chosen');
      return registerListener(accountName, chosen, {
        url: text('url'),
        ...(text('username') !== '' && { username: text('username') }),
        ...(text('password') !== '' && { password: text('password') }),
        rotateSecret: form.get('rotateSecret') !== null,
        removeCredentials: removes,
      });
    },
    onSuccess: async ({ secret }) => {
      await queries.invalidateQueries({ queryKey: ['callbacks'] });
      if (secret !== undefined) return;
      say('The listener is changed');
      onClose();
    },
  });
  const secret = registering.data?.secret;

  if (secret !== undefined)
    return (
      <ShownOnce
        title={known === undefined ? 'The listener is registered' : 'The secret is a new one'}
        secret={secret}
        onClose={onClose}
      >
        <p>Messages are signed with this secret. It is shown once.</p>
      </ShownOnce>
    );
  return (
    <Dialog
      title={known === undefined ? 'Register a listener' : `Change the listener of ${known.serviceName}`}
      onClose={onClose}
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          registering.mutate(new FormData(event.currentTarget));
        }}
      >
        {known === undefined && (
          <SelectField
            label="Service"
            name="serviceName"
            required
            options={services
              .filter((service) => !listeners.some((one) => one.serviceName === service.serviceName))
              .map((service) => ({ value: service.serviceName, label: service.serviceName }))}
          />
        )}
        <TextField
          label="Address"
          name="url"
          type="url"
          required
          defaultValue={known?.url ?? ''}
          placeholder="https://"
        />
        <TextField
          label="Username"
          name="username"
          autoComplete="off"
          disabled={removes}
          hint={
            known === undefined
              ? 'Sent with each message, if given.'
              : 'Left empty, it stays, at the same host.'
          }
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          disabled={removes}
          hint={known === undefined ? undefined : 'Left empty, it stays, at the same host.'}
        />
        {known !== undefined && (
          <>
            <CheckField
              label="Remove username and password"
              checked={removes}
              onChange={(event) => setRemoves(event.target.checked)}
            />
            <CheckField label="Make a new secret; the old one keeps signing for a day" name="rotateSecret" />
          </>
        )}
        {registering.isError && <ErrorText error={registering.error} />}
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" busy={registering.isPending}>
            {known === undefined ? 'Register' : 'Change'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
