/**
 * A slow and obviously correct model of one request, independent of the service. `work` does everything that is due at once.
 * Between two calls an hour passes, after which awaited devices are located again.
 */
export interface Wish {
  readonly answeredBy: 'report' | 'callbacks';
  readonly accuracy: 'coarse' | 'precise';
  readonly cacheMode: 0 | 1 | 2;
}

/** What the network would answer for a device. */
export type Answer = 'found' | 'absent' | 'failing';

export interface ModelDevice {
  answer: Answer;
  readonly isCached: boolean;
  isExcluded: boolean;
  ownLevel: number | undefined;
}

interface ModelEntry {
  readonly device: ModelDevice;
  readonly deniedWhenAsked: boolean;
  life: 'queued' | 'not asked' | 'absent' | 'over';
  /** `position`, the type of an error, or nothing. */
  held: string;
}

interface Message {
  readonly entry: ModelEntry;
  readonly held: string;
  attempts: number;
}

export const EXCLUDED = 'SVC CONSENT CHECK FAILED';
export const DENIED = 'POSITIONING NOT ALLOWED';
export const CANCELLED = 'CANCELLATION OF TRIGGERED LOCATION REQUEST';
const ATTEMPTS = 4;
const LEVELS_THAT_ALLOW = { coarse: [0, 2], precise: [0, 1] };

export class Model {
  readonly devices: readonly ModelDevice[];
  accountLevel = 2;
  allExcluded = false;
  entries: ModelEntry[] = [];
  billed = 0;
  #wish: Wish | undefined;
  #messages: Message[] = [];

  constructor(devices: readonly ModelDevice[]) {
    this.devices = devices;
  }

  #isDenied(device: ModelDevice): boolean {
    return !LEVELS_THAT_ALLOW[this.#wish!.accuracy].includes(device.ownLevel ?? this.accountLevel);
  }

  #mayBeLocated(device: ModelDevice): boolean {
    return !this.allExcluded && !device.isExcluded && !this.#isDenied(device);
  }

  /** What a reader of the report sees now. */
  #show({ device, deniedWhenAsked }: ModelEntry, held: string): string {
    if (this.allExcluded || device.isExcluded) return EXCLUDED;
    if (!this.#isDenied(device) && held !== '') return held;
    return deniedWhenAsked ? DENIED : EXCLUDED;
  }

  #hold(entry: ModelEntry, held: string, life: ModelEntry['life']): void {
    entry.held = held;
    entry.life = life;
    this.#notify(entry);
  }

  #notify(entry: ModelEntry): void {
    if (this.#wish!.answeredBy === 'callbacks')
      this.#messages.push({ entry, held: entry.held || this.#show(entry, ''), attempts: 0 });
  }

  /** True if the cache decided the entry. */
  #askCache(entry: ModelEntry): boolean {
    const { cacheMode } = this.#wish!;
    if (cacheMode !== 2 && entry.device.isCached) this.#hold(entry, 'position', 'over');
    else if (cacheMode === 0) this.#hold(entry, 'SVC CACHE UNAVAILABLE', 'over');
    else return false;
    return true;
  }

  #askNetwork(entry: ModelEntry): void {
    const { answer } = entry.device;
    if (answer === 'found') {
      this.billed++;
      this.#hold(entry, 'position', 'over');
    } else if (entry.life === 'absent') return;
    else if (answer === 'absent') this.#hold(entry, 'ABSENT SUBSCRIBER', 'absent');
    else this.#hold(entry, 'POSITION METHOD FAILURE', 'over');
  }

  ask(wish: Wish): void {
    this.#wish = wish;
    this.entries = this.devices.map((device) => ({
      device,
      deniedWhenAsked: this.#isDenied(device),
      life: 'queued',
      held: '',
    }));
    for (const entry of this.entries) {
      if (!this.#mayBeLocated(entry.device)) this.#hold(entry, '', 'not asked');
      else this.#askCache(entry);
    }
  }

  get isQueued(): boolean {
    return this.entries.some(({ life }) => life === 'queued');
  }

  cancel(): void {
    for (const entry of this.entries) {
      if (entry.life === 'over') continue;
      entry.life = 'over';
      entry.held = CANCELLED;
    }
  }

  /**
   * Does everything that is due. `leaves` is excluded while the network is queried for it, before the answer is used. Returns
   * the devices queried at the network, and whether anything changed.
   */
  work(leaves: ModelDevice | undefined): { asked: ModelDevice[]; hasChanged: boolean } {
    const asked: ModelDevice[] = [];
    const before = JSON.stringify(this.entries.map(({ held, life }) => [held, life]));
    for (const entry of this.entries) {
      const { device } = entry;
      if (entry.life === 'over') continue;
      if (this.#mayBeLocated(device)) {
        if (entry.life === 'not asked' && this.#askCache(entry)) continue;
        asked.push(device);
        if (device === leaves) device.isExcluded = true;
        else {
          this.#askNetwork(entry);
          continue;
        }
      }
      if (entry.life === 'queued') this.#hold(entry, '', 'not asked');
    }
    const after = JSON.stringify(this.entries.map(({ held, life }) => [held, life]));
    return { asked, hasChanged: before !== after };
  }

  /** Delivers the waiting callbacks; returns their content by device. */
  deliver(isAnswered: boolean): [ModelDevice, string][] {
    const heard = this.#messages.map(({ entry, held }): [ModelDevice, string] => [
      entry.device,
      this.#show(entry, held),
    ]);
    for (const message of this.#messages) message.attempts++;
    this.#messages = this.#messages.filter(({ attempts }) => !isAnswered && attempts < ATTEMPTS);
    return heard;
  }

  /** Only entries that wait for the network are empty. */
  page(): string[] {
    return this.entries.map((entry) =>
      entry.life === 'queued' && this.#mayBeLocated(entry.device) ? '' : this.#show(entry, entry.held),
    );
  }
}
