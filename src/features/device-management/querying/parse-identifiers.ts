import { DEVICE_ID_SHAPES, type DeviceIdKind, parseDeviceId } from '../../../kernel/device-id.ts';
import { isUuid } from '../../../kernel/uuid.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { textOf } from '../../../platform/json/exact-json.ts';
import { recordFaults } from '../errors.ts';
import type { Criterion, RecordKind } from './fields.ts';
import { ResourceIdentifier } from './schemas.ts';

const DIGITS = /^[0-9]{1,20}$/;
const HEXADECIMAL_ESN = /^[0-9A-F]{8}$/i;

/** Lengths of identifiers that are stored as text: a number loses leading zeros. */
const LENGTHS: Readonly<Partial<Record<DeviceIdKind, readonly [number, number]>>> = {
  imei: [14, 16],
  imsi: [6, 15],
  esn: [1, 20],
};

/** Every stored spelling of the number; undefined if the text is no number. */
function spellings(kind: DeviceIdKind, text: string): readonly string[] | undefined {
  const hexadecimal = kind === 'esn' && HEXADECIMAL_ESN.test(text) && !DIGITS.test(text);
  if (!hexadecimal && !DIGITS.test(text)) return undefined;
  const number = BigInt(hexadecimal ? `0x${text}` : text);
  const [shortest, longest] = LENGTHS[kind]!;
  const padded = Array.from({ length: longest - shortest + 1 }, (_, i) =>
    number.toString().padStart(shortest + i, '0'),
  );
  const asHexadecimal = number.toString(16).toUpperCase().padStart(8, '0');
  return [...new Set([...padded, ...(kind === 'esn' && /[A-F]/.test(asHexadecimal) ? [asHexadecimal] : [])])];
}

/** Undefined if the text cannot be an identifier of that kind. */
export function parseIdentifier(kind: DeviceIdKind, text: string): Criterion | undefined {
  if (LENGTHS[kind] !== undefined) {
    const values = spellings(kind, text.trim());
    return values && { on: 'identifier', kind, values };
  }
  const id = parseDeviceId(kind, text);
  return id && { on: 'identifier', kind, values: [id.value] };
}

type Name = keyof ResourceIdentifier;
const isName = (name: string): name is Name => Object.hasOwn(ResourceIdentifier.properties, name);
const UUIDS = { deviceid: 'device', node_uuid: 'node' } as const;
const WORDS: readonly Name[] = ['manufacturer', 'qrcode', 'serial'];

const bad = (name: string, shape: string): never =>
  refuse(recordFaults.badIdentifier, { reason: `${name} is ${shape}`, cause: `resourceidentifier.${name}` });

function readOne(kind: RecordKind, name: Name, text: string): Criterion {
  const uuid = name === 'id' ? 'id' : UUIDS[name as keyof typeof UUIDS];
  if (uuid !== undefined) {
    if (!isUuid(text)) return bad(name, 'a UUID');
    // The id of a device is called deviceid in 4.8.
    const column = uuid === 'device' && kind !== 'rule' ? 'id' : uuid;
    return { on: 'uuid', column, value: text.toLowerCase() };
  }
  if (WORDS.includes(name)) return { on: 'document', path: [name], text, forms: [text], orAbsent: false };
  const of = name as DeviceIdKind;
  return parseIdentifier(of, text) ?? bad(name, DEVICE_ID_SHAPES[of]);
}

interface Wanted {
  readonly own: readonly Criterion[];
  /** Criteria for the device of a rule. */
  readonly ofDevice: readonly Criterion[];
}

const isOfRule = ({ on, ...more }: Criterion): boolean =>
  on === 'uuid' && 'column' in more && more.column !== 'node';

/** The criteria of a resourceidentifier: every given field must match. */
export function parseIdentifiers(kind: RecordKind, resource: ResourceIdentifier = {}): Wanted {
  const all = Object.entries(resource).flatMap(([name, value]) => {
    if (value === null || value === undefined || !isName(name)) return [];
    const text = typeof value === 'boolean' ? undefined : textOf(value)?.trim();
    if (text === undefined || text === '' || text.length > 200) return bad(name, 'a text or a whole number');
    return [readOne(kind, name, text)];
  });
  if (kind !== 'rule') return { own: all, ofDevice: [] };
  return { own: all.filter(isOfRule), ofDevice: all.filter((one) => !isOfRule(one)) };
}
