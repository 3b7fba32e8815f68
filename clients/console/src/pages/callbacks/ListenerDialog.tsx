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
  /** The listener to change; absent for a new one. */
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
      if (chosen === undefined) throw new Error('no service chosen');
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
      say('Listener changed');
      onClose();
    },
  });
  const secret = registering.data?.secret;

  if (secret !== undefined)
    return (
      <ShownOnce
        title={known === undefined ? 'Listener registered' : 'New secret created'}
        secret={secret}
        onClose={onClose}
      >
        <p>The service signs callbacks with this secret. It is shown only once.</p>
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
              ? 'Optional. Sent with each callback.'
              : 'Empty: unchanged, if the host stays the same.'
          }
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          disabled={removes}
          hint={known === undefined ? undefined : 'Empty: unchanged, if the host stays the same.'}
        />
        {known !== undefined && (
          <>
            <CheckField
              label="Remove username and password"
              checked={removes}
              onChange={(event) => setRemoves(event.target.checked)}
            />
            <CheckField
              label="Create a new secret; the old one also signs for one more day"
              name="rotateSecret"
            />
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
