/** What keeps a backup from being made or restored: the message is one sentence for the person who asked for it. */
export class BackupError extends Error {}
