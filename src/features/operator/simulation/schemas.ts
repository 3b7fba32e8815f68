import { Type } from 'typebox';
import { SimulationEntry } from '../../devices/index.ts';
import { NETWORK_CONDITIONS } from '../../locations/index.ts';

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);
const { online, position, error, delayMs } = SimulationEntry.properties;

export const SimulationPatch = Type.Object({
  online: Type.Optional(orNull(online)),
  position: Type.Optional(orNull(position)),
  error: Type.Optional(error),
  delayMs: Type.Optional(orNull(delayMs)),
});

export const NetworkBody = Type.Object({ condition: Type.Enum([...NETWORK_CONDITIONS]) });

export const WireSimulator = Type.Object({
  running: Type.Boolean(),
  speed: Type.Integer({ minimum: 1, maximum: 10_000 }),
  seed: Type.String(),
  lastTick: Type.Optional(Type.String({ description: 'Domain time until which the devices have lived' })),
  lastError: Type.Optional(Type.String()),
});
export const SimulatorPatch = Type.Object({
  running: Type.Optional(WireSimulator.properties.running),
  speed: Type.Optional(WireSimulator.properties.speed),
});
