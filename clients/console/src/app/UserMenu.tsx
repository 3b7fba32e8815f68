import { useMutation, useQueryClient } from '@tanstack/react-query';
import { signOut } from '../api/session.ts';
import { Button } from '../parts/Button.tsx';
import { ICONS, Icon } from '../parts/Icon.tsx';
import { Popover } from '../parts/Popover.tsx';
import { sentenceOf } from '../parts/states.tsx';
import { forgetSession, useSession } from './session.tsx';

export function UserMenu() {
  const { kind, name, version } = useSession();
  const queries = useQueryClient();
  const leaving = useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      forgetSession(queries);
      location.assign('/');
    },
  });
  return (
    <Popover
      label={`Signed in as ${name}`}
      side="right"
      button={
        <>
          <Icon d={ICONS.person} size={16} />
          <span className="wide-only">{name}</span>
        </>
      }
    >
      {() => (
        <div className="stack" style={{ gap: 8, padding: 6 }}>
          <div>
            <strong>{name}</strong>
            <p className="small soft">{kind === 'operator' ? 'Operator key' : 'Web-services user'}</p>
          </div>
          <Button onClick={() => leaving.mutate()} busy={leaving.isPending}>
            Sign out
          </Button>
          {leaving.isError && (
            <p className="problem" role="alert">
              You are still signed in. {sentenceOf(leaving.error)}
            </p>
          )}
          <p className="small soft">
            Linekeeper {version} · <a href="/docs">API reference</a>
          </p>
        </div>
      )}
    </Popover>
  );
}
