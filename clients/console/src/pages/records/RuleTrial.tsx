import { useMutation } from '@tanstack/react-query';
import { NotAnObject } from '../../api/exact-json.ts';
import { type RuleTrial as Trial, tryRule } from '../../api/records.ts';
import { useAccount } from '../../app/account.tsx';
import { Badge } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { ErrorText } from '../../parts/states.tsx';
import { sayCompared } from '../../text/comparison.ts';
import { formatTime } from '../../text/format.ts';

function verdictOf({ active, reason, holds, at }: Trial): {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly word: string;
  readonly why: string;
} {
  if (!active) return { tone: 'warn', word: 'Not evaluated', why: reason ?? '' };
  if (at === null)
    return { tone: 'warn', word: 'Nothing to compare', why: 'The device has sent no reading.' };
  const when = `Last reading: ${formatTime(at)}.`;
  if (holds === undefined)
    return { tone: 'warn', word: 'Undecided', why: `A field is missing or of another type. ${when}` };
  return holds
    ? { tone: 'bad', word: 'The condition holds', why: when }
    : { tone: 'good', word: 'The condition does not hold', why: when };
}

/** Tries an unsaved rule on the last reading of its device. */
export function RuleTrial({
  deviceId,
  read,
}: {
  readonly deviceId: string;
  /** The current text of the rule. */
  readonly read: () => { readonly syntax: string; readonly chain: string };
}) {
  const accountName = useAccount();
  const trying = useMutation({ mutationFn: () => tryRule(accountName, deviceId, read()) });
  const verdict = trying.data && verdictOf(trying.data);
  return (
    <div className="stack" style={{ gap: 6 }}>
      <div className="row">
        <Button onClick={() => trying.mutate()} busy={trying.isPending}>
          Try it on the last reading
        </Button>
        {verdict && (
          <span role="status">
            <Badge tone={verdict.tone}>{verdict.word}</Badge> <span className="small">{verdict.why}</span>
          </span>
        )}
      </div>
      {trying.data && trying.data.compared.length > 0 && (
        <ul className="small" style={{ listStyle: 'none' }}>
          {trying.data.compared.map((one) => (
            <li key={JSON.stringify(one)}>{sayCompared(one)}</li>
          ))}
        </ul>
      )}
      {trying.isError &&
        (trying.error instanceof NotAnObject ? (
          <p className="problem" role="alert">
            The rule chain is not a JSON object
          </p>
        ) : (
          <ErrorText error={trying.error} />
        ))}
    </div>
  );
}
