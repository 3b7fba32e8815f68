import fc from 'fast-check';
import { TEST_SEED } from '../support/seeded-random.ts';

// Loaded before each test file: properties draw from the seed of the run, unless they name one.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: TEST_SEED });
