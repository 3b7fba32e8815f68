import type { AccountName, EcpdId } from '../../kernel/account-name.ts';

export interface Account {
  readonly ecpdId: EcpdId;
  readonly accountName: AccountName;
  readonly organizationName: string | null;
  readonly timeZone: string;
  readonly billCycleDay: number;
  readonly realTimeRating: boolean;
  readonly aggregatedBilling: boolean;
  readonly locationRegistered: boolean;
  readonly contactEmail: string | null;
  readonly createdAt: Date;
}

/** True for names that the runtime can compute local times in. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}
