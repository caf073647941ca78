import type { Declaration } from '../statement.js';
import type { Fields } from './fields.js';
import { present } from './trade.js';
import type { When } from './when.js';

/** A version of a paddock. Areas are exact, in the farm's area unit. */
export interface Paddock {
  readonly id: string;
  readonly name?: string;
  /** `Grazing`, `Cropping`, or other text. */
  readonly landUse?: string;
  readonly totalArea?: string;
  readonly grazableArea?: string;
  /** Absent: always. */
  readonly validFrom?: When;
}

const AREA = { min: 0, max: 100_000_000 };

export function readPaddock(resource: Fields): Declaration {
  const said = {
    name: resource.text('name'),
    landUse: resource.text('landUse'),
    totalArea: resource.decimal('totalArea', AREA),
    grazableArea: resource.decimal('grazableArea', AREA),
    validFrom: resource.when('validFrom'),
  };
  return { declares: 'paddock', paddock: { id: resource.needId('id'), ...present(said) } };
}

export function readLocation(resource: Fields): Declaration {
  resource.needObject('identifier').needId('id');
  return { declares: 'location' };
}
