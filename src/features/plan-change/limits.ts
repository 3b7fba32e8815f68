/** Of one active device, in a calendar month where its account is. */
export const CHANGES_PER_MONTH = 4;

export const FIRST_NAME_MAX = 20;
export const LAST_NAME_MAX = 25;
