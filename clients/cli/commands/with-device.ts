import type { Command } from 'commander';

export const IDENTIFIERS = [
  'imei',
  'iccid',
  'imsi',
  'msisdn',
  'mdn',
  'min',
  'meid',
  'esn',
  'eid',
  'mac',
  'deveui',
] as const;

/** A command about one device, found by any of its identifiers. */
export const withDevice = (command: Command): Command =>
  command
    .argument('<kind>', `kind of the identifier: ${IDENTIFIERS.join(', ')}`)
    .argument('<id>', 'the identifier');
