import type { Section } from '../row.ts';
import { callbacks } from './callbacks.ts';
import { devices } from './devices.ts';
import { location } from './location.ts';
import { requests } from './requests.ts';
import { triggers } from './triggers.ts';

/** What the service does where the interface is silent, leaves a choice or contradicts itself. */
export const decisions: readonly Section[] = [...requests, location, ...triggers, ...devices, ...callbacks];
