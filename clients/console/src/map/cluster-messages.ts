import type { Clustered } from './grid.ts';
import type { Bounds } from './mercator.ts';

export type ClusterQuestion =
  | {
      readonly kind: 'load';
      readonly latitudes: Float64Array;
      readonly longitudes: Float64Array;
      readonly tones: Uint8Array;
    }
  | { readonly kind: 'find'; readonly asked: number; readonly bounds: Bounds }
  | { readonly kind: 'cluster'; readonly view: Bounds; readonly zoom: number; readonly around: Bounds };
export type ClusterAnswer =
  | ({ readonly kind: 'clustered' } & Clustered)
  | { readonly kind: 'found'; readonly asked: number; readonly found: Uint32Array };
