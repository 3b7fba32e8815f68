/** Two digits per octet, the lower half first; F means no digit. */
function networkOf(octets: Buffer): string | undefined {
  const [a, b, c] = [octets[0]!, octets[1]!, octets[2]!];
  const mcc = [a & 15, a >> 4, b & 15];
  const mnc = [c & 15, c >> 4, ...(b >> 4 === 15 ? [] : [b >> 4])];
  const digits = [...mcc, ...mnc];
  return digits.every((digit) => digit < 10) ? `${mcc.join('')}-${mnc.join('')}` : undefined;
}

const AREA = 5;
const AREA_CELL = 7;
const EUTRAN_CELL = 7;

/** A location, routing or tracking area without a cell. */
function areaOf(octets: Buffer): string | undefined {
  if (octets.length < AREA) return undefined;
  const network = networkOf(octets);
  return network && `${network}-${octets.readUInt16BE(3)}`;
}

/** A location area or routing area, and a cell or service area in it. */
function areaCell(octets: Buffer): string | undefined {
  if (octets.length < AREA_CELL) return undefined;
  const network = networkOf(octets);
  return network && `${network}-${octets.readUInt16BE(3)}-${octets.readUInt16BE(5)}`;
}

/** 28 bits identify a cell of LTE. */
function eutranCell(octets: Buffer, area: number | undefined): string | undefined {
  if (octets.length < EUTRAN_CELL) return undefined;
  const network = networkOf(octets);
  return network && `${network}-${area ?? ''}-${octets.readUInt32BE(3) & 0xf_ff_ff_ff}`;
}

/**
 * The cell of a line (TS 29.061, 3GPP-User-Location-Info) as network, area and cell with dashes between, such as
 * 001-01-1-257; the area is empty if the report has none. Without a cell, network and area only, such as 001-01-1.
 */
export function cellOf(octets: Buffer): string | undefined {
  const rest = octets.subarray(1);
  switch (octets[0]) {
    case 0:
    case 1:
      return areaCell(rest);
    case 2:
    case 128:
      return areaOf(rest);
    case 129:
      return eutranCell(rest, undefined);
    case 130:
      return rest.length < AREA + EUTRAN_CELL
        ? undefined
        : eutranCell(rest.subarray(AREA), rest.readUInt16BE(3));
    default:
      return undefined;
  }
}
