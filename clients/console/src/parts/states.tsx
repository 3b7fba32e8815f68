import { LinekeeperError } from '../../../sdk/index.ts';
import { refusalOf } from '../api/client.ts';
import { Button } from './Button.tsx';

/** What went wrong, in a sentence. */
export function sentenceOf(error: unknown): string {
  const refusal = refusalOf(error);
  if (refusal !== undefined) {
    const { title, detail } = refusal;
    return detail === undefined ? title : `${title.replace(/\.$/, '')}: ${detail}`;
  }
  if (error instanceof LinekeeperError && error.kind === 'timedOut')
    return 'The service did not answer in time.';
  return 'The service cannot be reached.';
}

export function ErrorText({ error }: { readonly error: unknown }) {
  return (
    <p className="problem" role="alert">
      {sentenceOf(error)}
    </p>
  );
}

/** In the place of what could not be read. */
export function Problem({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  return (
    <div className="note" role="alert">
      <strong>{sentenceOf(error)}</strong>
      {retry !== undefined && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

/** Where reading has failed: in the place of what was never read, and above what was read before, which stays. */
export function ReadProblem({
  error,
  data,
  retry,
}: {
  readonly error: unknown;
  readonly data: unknown;
  readonly retry: () => void;
}) {
  if (error === null) return null;
  if (data === undefined) return <Problem error={error} retry={retry} />;
  return (
    <div className="strip" data-tone="bad" role="alert">
      It could not be refreshed. {sentenceOf(error)}
      <Button onClick={retry}>Try again</Button>
    </div>
  );
}

/** In the place of a list that has nothing in it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: React.ReactNode }) {
  return (
    <div className="note">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

/** As large as what it stands for, so that nothing moves when that comes. */
export function Skeleton({
  height,
  width = '100%',
}: {
  readonly height: number;
  readonly width?: number | string;
}) {
  return <span className="skeleton" style={{ height, width }} aria-hidden="true" />;
}
