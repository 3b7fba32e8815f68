import type { Generator } from './generator.ts';

/** A city with an unassigned area code: codes with a 9 in the middle are never assigned. */
export interface Place {
  readonly name: string;
  readonly lat: number;
  readonly lon: number;
  readonly areaCode: string;
  readonly zips: readonly string[];
}

export const DALLAS: Place = {
  name: 'Dallas',
  lat: 32.78,
  lon: -96.8,
  areaCode: '397',
  zips: ['75201', '75207'],
};
export const CHICAGO: Place = {
  name: 'Chicago',
  lat: 41.85,
  lon: -87.68,
  areaCode: '398',
  zips: ['60607', '60608'],
};
export const ATLANTA: Place = {
  name: 'Atlanta',
  lat: 33.75,
  lon: -84.39,
  areaCode: '497',
  zips: ['30303', '30310'],
};
export const DENVER: Place = {
  name: 'Denver',
  lat: 39.74,
  lon: -104.99,
  areaCode: '498',
  zips: ['80202', '80216'],
};
export const FRESNO: Place = {
  name: 'Fresno',
  lat: 36.74,
  lon: -119.78,
  areaCode: '697',
  zips: ['93706', '93721'],
};
export const PHOENIX: Place = {
  name: 'Phoenix',
  lat: 33.45,
  lon: -112.07,
  areaCode: '698',
  zips: ['85003', '85034'],
};

const places = [DALLAS, CHICAGO, ATLANTA, DENVER, FRESNO, PHOENIX];

/** ZIP codes with fixed-location plans; the second one of Phoenix is not covered yet. */
export const serviceableZips = places.flatMap(({ zips }) => zips).filter((zip) => zip !== '85034');

/** A point within about 20 km of the city, with the precision of a network position. */
export const positionAround = ({ lat, lon }: Place, generator: Generator) => ({
  lat: generator.between(lat - 0.18, lat + 0.18, 5),
  lon: generator.between(lon - 0.2, lon + 0.2, 5),
  radius: generator.pick([35, 60, 120, 300, 750, 1_400]),
});
