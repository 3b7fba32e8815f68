export interface Plan {
  readonly code: string;
  /** The code that triggers use. Two plans share one. */
  readonly carrierCode: string;
  readonly allowance: number | undefined;
  /** As text, because a double cannot represent money exactly. */
  readonly ratePerMb: string | undefined;
  readonly throttleAt: number | undefined;
  readonly share: boolean;
}

const plan = (code: string, carrierCode: string, more: Partial<Plan> = {}): Plan => ({
  code,
  carrierCode,
  allowance: undefined,
  ratePerMb: undefined,
  throttleAt: undefined,
  share: false,
  ...more,
});

/** Plans are shared: one catalogue serves all fleets. Allowances are odd, so that percentages are not whole bytes. */
export const PLANS: readonly Plan[] = [
  plan('P', 'C-P', { allowance: 20_001 }),
  plan('P2', 'C-P', { allowance: 7_777, ratePerMb: '0.5' }),
  plan('Q', 'C-Q', { allowance: 12_345, ratePerMb: '12.375', throttleAt: 80 }),
  plan('N', 'N'),
  plan('S', 'C-S', { allowance: 5_001, share: true, throttleAt: 100 }),
  plan('M', 'C-M', { allowance: 15_003, share: true, ratePerMb: '3.333', throttleAt: 60 }),
  plan('L', 'C-L', { allowance: 60_007, share: true }),
];

export const planOf = (code: string): Plan | undefined => PLANS.find((one) => one.code === code);
export const plansCalled = (carrierCode: string): readonly string[] =>
  PLANS.filter((one) => one.carrierCode === carrierCode).map(({ code }) => code);

/** The target of moves is one plan, whichever of its codes is used. */
export const planNamed = (code: string): string => plansCalled(code)[0] ?? code;

export const CATALOGUE_DOCUMENT = PLANS.map(
  ({ code, carrierCode, allowance, ratePerMb, throttleAt, share }) => ({
    code,
    name: `Plan ${code}`,
    ...(carrierCode !== code && { carrierServicePlanCode: carrierCode }),
    kind: share ? 'share' : 'payAsYouGo',
    ...(allowance !== undefined && { allowanceBytes: allowance }),
    ...(ratePerMb !== undefined && { ratePerMb: Number(ratePerMb) }),
    ...(throttleAt !== undefined && { throttleAtPercent: throttleAt }),
  }),
);
