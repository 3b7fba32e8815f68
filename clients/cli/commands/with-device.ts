import { Argument, type Command } from 'commander';

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
    .addArgument(new Argument('<kind>', 'kind of the identifier').choices(IDENTIFIERS))
    .argument('<id>', 'the identifier');
