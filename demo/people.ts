import { COLD_CHAIN, HAULAGE, PRIMARY, UTILITY, WATER } from './accounts.ts';
import { daysBefore, idOf } from './generator.ts';
import { mdnOf } from './identifiers.ts';
import { ATLANTA, DALLAS, FRESNO, type Place } from './places.ts';

interface Person {
  readonly accountName: string;
  readonly firstname: string;
  readonly lastname: string;
  readonly description: string;
  readonly domain: string;
  readonly place: Place;
  /** People have the last fictional numbers of their area, devices the first. */
  readonly line: number;
}

const [LARKMOOR, PELLMERE] = ['larkmoor.example', 'pellmere.example'];

const people: readonly Person[] = [
  {
    ...{ accountName: PRIMARY, firstname: 'Ada', lastname: 'Thornbury', description: 'Fleet manager' },
    ...{ domain: LARKMOOR, place: DALLAS, line: 99 },
  },
  {
    ...{ accountName: PRIMARY, firstname: 'Tomas', lastname: 'Reyes', description: 'Night dispatcher' },
    ...{ domain: LARKMOOR, place: DALLAS, line: 98 },
  },
  {
    ...{
      accountName: COLD_CHAIN,
      firstname: 'Mirele',
      lastname: 'Okafor',
      description: 'Cold chain quality',
    },
    ...{ domain: LARKMOOR, place: ATLANTA, line: 99 },
  },
  {
    ...{ accountName: WATER, firstname: 'June', lastname: 'Halloran', description: 'Metering engineer' },
    ...{ domain: PELLMERE, place: FRESNO, line: 99 },
  },
  {
    ...{ accountName: WATER, firstname: 'Petr', lastname: 'Lindqvist', description: 'Field technician' },
    ...{ domain: PELLMERE, place: FRESNO, line: 98 },
  },
];

const emailOf = ({ firstname, lastname, domain }: Person) =>
  `${firstname}.${lastname}@${domain}`.toLowerCase();
const phoneOf = ({ place, line }: Person) => mdnOf(place.areaCode, line);

export const userProfiles = (now: Date) =>
  people.map((person) => ({
    accountName: person.accountName,
    id: idOf(`user ${emailOf(person)}`),
    firstname: person.firstname,
    lastname: person.lastname,
    displayname: `${person.firstname} ${person.lastname}`,
    name: `${person.firstname} ${person.lastname}`,
    description: person.description,
    email: emailOf(person),
    credentialsid: emailOf(person),
    credentialstype: 'email',
    mdn: phoneOf(person),
    number: phoneOf(person),
    ackterms: true,
    acktermson: daysBefore(now, 150),
    requestedon: daysBefore(now, 151),
    createdon: daysBefore(now, 151),
    customdata: { shift: person.description.startsWith('Night') ? 'night' : 'day' },
    state: 'success',
  }));

const reach = (domain: string) => {
  const told = people.filter((person) => person.domain === domain);
  return { emails: told.map(emailOf), phones: told.map(phoneOf) };
};

export const FLEET_DESK = 'Fleet desk';
export const METERING_DESK = 'Metering desk';

export const notificationGroups = [
  { ecpdId: HAULAGE.ecpdId, name: FLEET_DESK, ...reach(LARKMOOR) },
  { ecpdId: UTILITY.ecpdId, name: METERING_DESK, ...reach(PELLMERE) },
];
