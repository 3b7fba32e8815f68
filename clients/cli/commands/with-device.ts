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

/** Adds the arguments for a device, which any of its identifiers can name. */
export const withDevice = (command: Command): Command =>
  command
    .addArgument(new Argument('<kind>', 'kind of the identifier').choices(IDENTIFIERS))
    .argument('<id>', 'the identifier');
