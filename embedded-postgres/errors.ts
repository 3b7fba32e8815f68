/** The message is one sentence, followed by the last lines of the server's output if they help. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** The data folder cannot be created or used, which the user can fix by the setting. */
export class DataFolderError extends EmbeddedPostgresError {}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function fileError(error: unknown, doing: string): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  return new EmbeddedPostgresError(fileSentence(error, doing), { cause: error });
}

/** `doing` completes "Linekeeper cannot …", for example "create the data folder /srv/data". */
export function fileSentence(error: unknown, doing: string): string {
  return `Linekeeper cannot ${doing}: ${reasonOf(error)}.`;
}

function reasonOf(error: unknown): string {
  switch (errorCode(error)) {
    case 'EACCES':
    case 'EPERM':
      return `the user it runs as (${process.geteuid === undefined ? 'the current user' : `uid ${process.geteuid()}`}) has no right to do so`;
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full';
    case 'EROFS':
      return 'the file system is read-only';
    case 'ENOTDIR':
      return 'a part of this path is a file, not a folder';
    case 'ENAMETOOLONG':
      return 'this path is too long';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

/** The output of a failed PostgreSQL program explains the cause; only a full disk gets its own words. */
export function programError(sentence: string, output: readonly string[]): EmbeddedPostgresError {
  const full = output.some((line) =>
    /No space left on device|Disk quota exceeded|Check free disk space/.test(line),
  );
  const shown = output.filter((line) => line.trim() !== '').slice(-12);
  const head = full ? sentence.replace(/\.$/, ': the disk is full.') : sentence;
  return new EmbeddedPostgresError(shown.length === 0 ? head : `${head}\n${shown.join('\n')}`);
}
