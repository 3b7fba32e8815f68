import { Type } from 'typebox';
import { WireFiring } from '../../../firings/index.ts';
import { NumberOrNull, TextOrNull } from '../../schemas.ts';

export const WireUsageOverview = Type.Object({
  cycle: Type.Object({ from: Type.String(), to: Type.String({ description: 'Not part of it' }) }),
  usedBytes: Type.Number(),
  allowanceBytes: NumberOrNull,
  plans: Type.Array(
    Type.Object({
      planCode: Type.String(),
      planName: TextOrNull,
      lines: Type.Integer(),
      usedBytes: Type.Number(),
      allowanceBytes: NumberOrNull,
    }),
  ),
  days: Type.Array(Type.Object({ day: Type.String(), bytes: Type.Number() })),
  states: Type.Array(Type.Object({ state: Type.String(), devices: Type.Integer() })),
});

export const WireAccountUsage = Type.Object({
  accounts: Type.Array(
    Type.Object({
      accountName: Type.String(),
      organizationName: TextOrNull,
      usedBytes: Type.Number(),
      allowanceBytes: NumberOrNull,
      activeLines: Type.Integer(),
    }),
  ),
  next: Type.Optional(Type.String()),
});

export const WireFiringOverview = Type.Object({
  days: Type.Array(Type.Object({ day: Type.String(), firings: Type.Integer() })),
  latest: Type.Array(WireFiring),
});
