import { useMemo, useState } from 'react';
import { type Approval, listApprovals } from '../../api/approvals.ts';
import { useAccount } from '../../app/account.tsx';
import { mayDecide, useSession } from '../../app/session.tsx';
import { usePages } from '../../app/use-pages.ts';
import { Button } from '../../parts/Button.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { Empty } from '../../parts/states.tsx';
import { formatNumber } from '../../text/format.ts';
import { FiringDialog } from '../triggers/FiringDialog.tsx';
import { columnsOf } from './columns.tsx';
import { DecideDialog, type Decision } from './DecideDialog.tsx';

/** Most approvals decided together. */
const CHOSEN_MAX = 100;

interface Asked {
  readonly firings: readonly Approval[];
  readonly decision: Decision;
}

function Strip({
  shown,
  chosen,
  mayApprove,
  onChoose,
  onAsk,
}: {
  readonly shown: readonly Approval[];
  readonly chosen: readonly Approval[];
  readonly mayApprove: (approval: Approval) => boolean;
  readonly onChoose: (firings: readonly Approval[]) => void;
  readonly onAsk: (asked: Asked) => void;
}) {
  const approvable = chosen.filter(mayApprove);
  return (
    <div className="strip">
      {chosen.length === 0
        ? 'Select approvals to decide on them together.'
        : `${formatNumber(chosen.length)} selected.`}
      <Button onClick={() => onChoose(shown.slice(0, CHOSEN_MAX))}>
        {shown.length > CHOSEN_MAX ? `Select the first ${CHOSEN_MAX}` : 'Select all shown'}
      </Button>
      <Button
        kind="main"
        disabled={approvable.length === 0}
        onClick={() => onAsk({ firings: approvable, decision: 'approve' })}
      >
        Approve selected
      </Button>
      <Button
        kind="danger"
        disabled={chosen.length === 0}
        onClick={() => onAsk({ firings: chosen, decision: 'reject' })}
      >
        Reject selected
      </Button>
    </div>
  );
}

/** The pending approvals of the account; permitted viewers decide on one or many. */
export function ApprovalTable() {
  const accountName = useAccount();
  const may = mayDecide(useSession());
  const [chosenIds, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [openId, setOpen] = useState<string>();
  const [asked, setAsked] = useState<Asked>();
  const list = usePages(['approvals', accountName], (mark, signal) =>
    listApprovals(accountName, mark, signal),
  );
  const shown = list.pages?.flatMap(({ approvals }) => approvals) ?? [];
  const isPaused = list.pages?.[0]?.paused ?? false;
  const chosen = shown.filter(({ firingId }) => chosenIds.has(firingId));
  const open = shown.find(({ firingId }) => firingId === openId);
  const columns = useMemo(() => {
    const toggle = (id: string) =>
      setChosen(
        (before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]),
      );
    const decide = (approval: Approval, decision: Decision) => setAsked({ firings: [approval], decision });
    const mayApprove = ({ isThere }: Approval) => isThere && !isPaused;
    return columnsOf(
      accountName,
      setOpen,
      may ? { chosen: chosenIds, toggle, decide, mayApprove } : undefined,
    );
  }, [accountName, may, chosenIds, isPaused]);
  return (
    <>
      {isPaused && (
        <div className="strip" data-tone="warn" role="status">
          The operator has paused actions. Nothing can be approved until the operator resumes them.
        </div>
      )}
      {may && shown.length > 0 && (
        <Strip
          shown={shown}
          chosen={chosen}
          mayApprove={({ isThere }) => isThere && !isPaused}
          onChoose={(firings) => setChosen(new Set(firings.map(({ firingId }) => firingId)))}
          onAsk={setAsked}
        />
      )}
      <PagedTable
        label="Approvals"
        file="approvals"
        columns={columns}
        list={list}
        rowsOf={({ approvals }) => approvals}
        keyOf={({ firingId }) => firingId}
        height="fill"
        minWidth={1_010}
        empty={
          <Empty title="Nothing is waiting for approval">
            <p>
              When a trigger would change more lines than its limit allows, the action waits here for your
              decision.
            </p>
          </Empty>
        }
      />
      {open !== undefined && <FiringDialog firing={open} onClose={() => setOpen(undefined)} />}
      {asked !== undefined && (
        <DecideDialog
          {...asked}
          onDone={() => {
            setAsked(undefined);
            setChosen(new Set());
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
