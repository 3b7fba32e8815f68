import type { Evaluation } from '../../api/records.ts';
import { Badge } from '../../parts/Badge.tsx';

export const evaluationWords = ({ active, dialect, reason }: Evaluation): string =>
  active ? `Evaluated as ${dialect}` : `Not evaluated: ${reason ?? 'no reason given'}`;

/** Whether the service evaluates a rule, and if not, why. */
export function EvaluationBadge({
  evaluation: { active, dialect, reason },
}: {
  readonly evaluation: Evaluation;
}) {
  return (
    <span title={reason}>
      <Badge tone={active ? 'good' : 'warn'}>{active ? 'Evaluated' : 'Not evaluated'}</Badge>{' '}
      <span className="small">{active ? `as ${dialect}` : reason}</span>
    </span>
  );
}
