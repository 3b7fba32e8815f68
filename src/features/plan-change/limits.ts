/** Of one active device, in a calendar month where its account is. */
export const CHANGES_PER_MONTH = 4;
