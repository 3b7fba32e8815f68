import { useState } from 'react';
import type { ActionKind, Line } from '../api/lines.ts';
import { mayChange, useSession } from '../app/session.tsx';
import { Button } from '../parts/Button.tsx';
import { Popover } from '../parts/Popover.tsx';
import { ACTIONS } from './actions.ts';
import { LineDialog } from './LineDialog.tsx';
import { RenameDialog } from './RenameDialog.tsx';
import './lines.css';

const FIRST_SHOWN: readonly ActionKind[] = ['suspend', 'restore', 'plan', 'locate'];
const IN_MENU: readonly ActionKind[] = ['label', 'consent', 'exclude', 'allow', 'activate', 'deactivate'];

/** Whether the action applies to the state of at least one line. */
const fits = (kind: ActionKind, lines: readonly Line[]): boolean => {
  const { from } = ACTIONS[kind];
  return from === undefined || lines.some(({ state }) => from.includes(state));
};

interface LineActionsProps {
  readonly lines: readonly Line[];
  /** Called when the lines may have changed. */
  readonly onClosed?: () => void;
}

/** The actions for lines; renders nothing for a viewer who may do none of them. */
export function LineActions({ lines, onClosed }: LineActionsProps) {
  const session = useSession();
  // A copy of the lines at the click: a refetch changes nothing in an open dialog.
  const [asked, setAsked] = useState<{
    readonly kind: ActionKind | 'rename';
    readonly lines: readonly Line[];
  }>();
  if (!mayChange(session, 'fleet')) return null;
  const close = () => {
    setAsked(undefined);
    onClosed?.();
  };
  const first = asked?.lines[0];
  return (
    <>
      {FIRST_SHOWN.filter((kind) => fits(kind, lines)).map((kind) => (
        <Button key={kind} onClick={() => setAsked({ kind, lines })}>
          {ACTIONS[kind].label}
        </Button>
      ))}
      <Popover label="More actions" button="More" side="right">
        {(closeMenu) => (
          <div className="action-menu">
            {lines.length === 1 && (
              <Button
                kind="plain"
                onClick={() => {
                  closeMenu();
                  setAsked({ kind: 'rename', lines });
                }}
              >
                Rename
              </Button>
            )}
            {IN_MENU.filter((kind) => fits(kind, lines)).map((kind) => (
              <Button
                key={kind}
                kind="plain"
                onClick={() => {
                  closeMenu();
                  setAsked({ kind, lines });
                }}
              >
                {ACTIONS[kind].label}
              </Button>
            ))}
          </div>
        )}
      </Popover>
      {asked?.kind === 'rename' && first && <RenameDialog line={first} onClose={close} />}
      {asked !== undefined && asked.kind !== 'rename' && (
        <LineDialog kind={asked.kind} lines={asked.lines} onClose={close} />
      )}
    </>
  );
}
