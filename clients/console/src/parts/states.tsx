import { Link, useLocation } from 'wouter';
import { LinekeeperError } from '../../../sdk/index.ts';
import { refusalOf, statusOf } from '../api/client.ts';
import { Button } from './Button.tsx';

/** What went wrong, in a sentence. */
export function sentenceOf(error: unknown): string {
  const refusal = refusalOf(error);
  if (refusal !== undefined) {
    const { title, detail: said } = refusal;
    // How something must be written is for programs.
    const detail = said?.replace(/ must match pattern .*$/s, ' is not written as it should be');
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

const saysNotFound = (error: unknown): boolean =>
  error instanceof LinekeeperError && error.code.endsWith('NotFound');

/** Areas of the interface refuse an unknown id with 400. An id of the wrong shape in an address is unknown as well. */
const isAbsent = (error: unknown): boolean =>
  statusOf(error) === 404 ||
  saysNotFound(error) ||
  (statusOf(error) === 400 &&
    /must match pattern/.test(refusalOf(error)?.detail ?? refusalOf(error)?.title ?? ''));

/** In the place of what is not there, with a way on. */
export function NotFound({ title = 'There is nothing here' }: { readonly title?: string }) {
  const [location] = useLocation();
  const above = location.split('/').slice(0, -1).join('/');
  const hasList = /^\/accounts\/[^/]+\/./.test(above);
  return (
    <div className="note" role="alert">
      <strong>{title}</strong>
      <p>It was deleted, or the address is not quite right.</p>
      <p className="row">
        {hasList && <Link href={above}>Go to the list</Link>}
        <Link href="/">Go to the overview</Link>
      </p>
    </div>
  );
}

/** In the place of what the viewer may not see. */
function NoAccess({ error }: { readonly error: unknown }) {
  return (
    <div className="note" role="alert">
      <strong>You have no access to this</strong>
      <p>{sentenceOf(error)}</p>
      <p>Whoever runs the service can give it to you.</p>
      <Link href="/">Go to the overview</Link>
    </div>
  );
}

/** In the place of what could not be read. */
export function Problem({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  if (isAbsent(error)) return <NotFound />;
  if (statusOf(error) === 403) return <NoAccess error={error} />;
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
