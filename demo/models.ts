/** The device models of the fleet. Makers and products are fictional. */
export interface Model {
  /** First eight digits of the IMEI. */
  readonly typeCode: string;
  readonly manufacturer: string;
  readonly productmodel: string;
  readonly chipset: string;
  readonly hardwareversion: string;
  readonly softwareversions: readonly string[];
  readonly sku: string;
}

const model = (
  typeCode: string,
  [manufacturer, productmodel, sku]: readonly [string, string, string],
  [chipset, hardwareversion]: readonly [string, string],
  softwareversions: readonly string[],
): Model => ({ typeCode, manufacturer, productmodel, chipset, hardwareversion, softwareversions, sku });

export const TRACKERS = [
  model('99710011', ['Wexmoor Telematics', 'Waymark 3', 'WX-WM3'], ['ORL 770', 'C'], ['3.8.1', '3.9.0']),
  model('99710012', ['Wexmoor Telematics', 'Waymark 3 Trailer', 'WX-WM3T'], ['ORL 770', 'B'], ['3.8.1']),
];

/** A type code of the 00 range, because leading zeros of IMEIs are legal and easily lost. */
export const METERS = [
  model(
    '00710021',
    ['Hallowbrook Metering', 'Aquilis M2', 'HB-AQ2'],
    ['ORL 210 NB', 'A'],
    ['1.4.2', '1.5.0'],
  ),
  model('99710022', ['Hallowbrook Metering', 'Voltis E1', 'HB-VE1'], ['ORL 210 NB', 'D'], ['2.0.7']),
];

export const CAMERAS = [
  model('99710031', ['Drayfield Optics', 'Roadview 4', 'DF-RV4'], ['ORL 880', 'A'], ['4.1.0', '4.2.3']),
  model('99710032', ['Drayfield Optics', 'Yardview 8', 'DF-YV8'], ['ORL 880', 'B'], ['8.0.2']),
];

export const ROUTERS = [
  model('99710041', ['Tarnbeck Networks', 'Hearth 5G', 'TB-H5'], ['ORL 955', 'E'], ['5.2.0', '5.3.1']),
  model('99710042', ['Tarnbeck Networks', 'Hearth 5G Outdoor', 'TB-H5O'], ['ORL 955', 'F'], ['5.3.1']),
];
export const CPE_MODELS: readonly string[] = ROUTERS.map(({ productmodel }) => productmodel);

export const TABLET = model('99710051', ['Ospreth', 'Slate 10', 'OS-S10'], ['ORL 900', 'A'], ['14.1']);

export const GATEWAY = model(
  '99710061',
  ['Tarnbeck Networks', 'Beacon Gateway 2', 'TB-BG2'],
  ['ORL 640', 'B'],
  ['2.6.4', '2.7.0'],
);

/** Sensors have no line; they connect to a gateway over BLE or LoRa. */
export const SENSORS = {
  ble: {
    manufacturer: 'Quillwood Sensing',
    productmodel: 'Frost Tag',
    chipset: 'QW 52',
    hardwareversion: '2',
    softwareversion: '1.9.0',
    sku: 'QW-FT',
  },
  lora: {
    manufacturer: 'Quillwood Sensing',
    productmodel: 'Silo Probe',
    chipset: 'QW 91',
    hardwareversion: '1',
    softwareversion: '3.0.4',
    sku: 'QW-SP',
  },
} as const;
