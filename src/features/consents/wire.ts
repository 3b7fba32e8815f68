/** `2018-05-18 19:20:50.076 +0000 UTC`: how the location area writes times as text. */
export const toTextTimestamp = (at: Date): string =>
  `${at.toISOString().replace('T', ' ').replace('Z', '')} +0000 UTC`;

/** Published clients read one spelling or the other. */
export const queued = (transactionID: string) => ({
  transactionID,
  transactionId: transactionID,
  status: 'QUEUED' as const,
});
