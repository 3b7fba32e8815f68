import { chance } from './chance.ts';
import { type Device, DRAW, hourOf, localTime } from './device.ts';
import { whereabouts } from './journey.ts';
import { DAY, MINUTE } from './time.ts';

type Values = Readonly<Record<string, number | boolean>>;

const tenth = (value: number): number => Math.round(value * 10) / 10;
const wave = (hour: number): number => Math.sin(((hour - 9) / 24) * 2 * Math.PI);

/** An event that happens on some days, at its own time, for a limited duration. */
function happens(root: number, at: number, share: number, lengthMs: number): boolean {
  const day = Math.floor(at / DAY);
  if (chance(root, DRAW.event, day) >= share) return false;
  const since = at - day * DAY - chance(root, DRAW.event + 100, day) * (DAY - lengthMs);
  return since >= 0 && since < lengthMs;
}

/** A cold shelf stays below 5 degrees unless its cooling fails; a hall follows the day. */
function climate({ cold }: Device, root: number, at: number, hour: number, noise: number): Values {
  const failing = happens(root, at, 0.3, 40 * MINUTE);
  const temperature = cold
    ? 2.5 + 0.6 * wave(hour) + noise + (failing ? 4 : 0)
    : 18 + 5 * wave(hour) + 2 * noise;
  const doorOpen =
    !failing && hour > 6 && hour < 19 && chance(root, DRAW.event + 200, Math.floor(at / MINUTE)) < 0.1;
  return { temperature: tenth(temperature), humidity: tenth(55 - 10 * wave(hour) + 4 * noise), doorOpen };
}

function gateway(root: number, at: number): Values {
  const mains = !happens(root, at, 0.06, 90 * MINUTE);
  return {
    mains,
    batteryPercent: mains ? 100 : 35 + Math.round(40 * chance(root, DRAW.event, Math.floor(at / DAY))),
  };
}

/** The values that a device measures at a moment; undefined if it has no sensors. */
export function readingOf(device: Device, root: number, at: number): Values | undefined {
  const hour = hourOf(localTime(at, device.home));
  const noise = chance(root, DRAW.reading, Math.floor(at / MINUTE)) - 0.5;
  switch (device.profile) {
    case 'climateSensor':
      return climate(device, root, at, hour, noise);
    case 'levelSensor':
      return { level: Math.round((2.1 + 0.7 * Math.sin((at / DAY) * 0.9) + 0.05 * noise) * 100) / 100 };
    case 'gateway':
      return gateway(root, at);
    case 'meter':
      return {
        flow: tenth(40 + 25 * wave(hour) + 6 * noise),
        batteryPercent: 90 - Math.floor((at / DAY) % 60),
      };
    case 'tracker': {
      const { driving } = whereabouts(device.home, root, at);
      return {
        ignition: driving,
        speed: driving ? Math.round(72 + 20 * noise) : 0,
        fuelPercent: Math.round(60 - 35 * wave(hour)),
      };
    }
    default:
      return undefined;
  }
}
