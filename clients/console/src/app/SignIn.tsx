import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Credentials, signIn } from '../api/session.ts';
import { Button } from '../parts/Button.tsx';
import { TextField } from '../parts/fields.tsx';
import { ErrorText } from '../parts/states.tsx';
import { TabPanel, Tabs } from '../parts/Tabs.tsx';

const KINDS = [
  { id: 'user', label: 'User' },
  { id: 'operator', label: 'Operator' },
] as const;

export function SignIn({
  hasEnded,
  onDone,
}: {
  /** A session existed here before; its page returns after sign-in. */
  readonly hasEnded: boolean;
  readonly onDone: () => void;
}) {
  const [kind, setKind] = useState<'user' | 'operator'>('user');
  const signing = useMutation({
    mutationFn: (credentials: Credentials) => signIn(credentials),
    onSuccess: onDone,
  });

  const submit = (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '');
    signing.mutate(
      kind === 'user'
        ? { username: text('username'), password: text('password') }
        : { operatorKey: text('operatorKey') },
    );
  };

  return (
    <div className="sign-in">
      <main>
        <h1 className="sign-in-brand">
          <img src="/favicon.svg" alt="" width="32" height="32" />
          Linekeeper
        </h1>
        {hasEnded && (
          <p className="strip" role="status" style={{ marginBottom: 16 }}>
            Your session has ended. Sign in to continue where you left off.
          </p>
        )}
        <div className="card">
          <div className="card-body form">
            <Tabs label="Sign in as" tabs={KINDS} selected={kind} onSelect={setKind} />
            <TabPanel label="Sign in as" selected={kind}>
              <form
                className="form"
                onSubmit={(event) => {
                  event.preventDefault();
                  submit(new FormData(event.currentTarget));
                }}
              >
                {kind === 'user' ? (
                  <>
                    <TextField
                      key="username"
                      label="Username"
                      name="username"
                      autoComplete="username"
                      required
                      autoFocus
                    />
                    <TextField
                      label="Password"
                      name="password"
                      type="password"
                      autoComplete="current-password"
                      required
                    />
                  </>
                ) : (
                  <TextField
                    key="operatorKey"
                    label="Operator key"
                    name="operatorKey"
                    type="password"
                    autoComplete="off"
                    hint="The service operator created it, or found it in the output of the first start."
                    required
                    autoFocus
                  />
                )}
                {signing.isError && <ErrorText error={signing.error} />}
                <Button kind="main" type="submit" busy={signing.isPending}>
                  Sign in
                </Button>
              </form>
            </TabPanel>
          </div>
        </div>
      </main>
    </div>
  );
}
