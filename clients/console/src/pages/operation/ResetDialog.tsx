import { TypeToConfirm } from '../../parts/TypeToConfirm.tsx';

export function ResetDialog({
  onClose,
  onReset,
}: {
  readonly onClose: () => void;
  readonly onReset: () => void;
}) {
  return (
    <TypeToConfirm
      title="Empty the sandbox"
      word="reset"
      action="Delete everything"
      onConfirm={onReset}
      onClose={onClose}
    >
      <p>Every account, device, trigger and callback is deleted, and the clock goes back to real time.</p>
    </TypeToConfirm>
  );
}
