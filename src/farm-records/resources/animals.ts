import type { Claim, Declaration } from '../statement.js';
import type { Fields } from './fields.js';
import { speciesNamed } from './species.js';
import { readAnimal, readClaim } from './subject.js';
import { present } from './trade.js';

/** An animal as a source declares it. `ext` may give the class and enterprise it has when an event does not say. */
export interface DeclaredAnimal {
  readonly key: string;
  readonly species?: string;
  readonly sex?: string;
  readonly breed?: string;
  readonly name?: string;
  readonly managementTag?: string;
  readonly claim: Pick<Claim, 'ageClass' | 'enterprise'>;
}

/** A set (a mob) as a source declares it, with the animals it has at the time of writing. */
export interface AnimalSet {
  readonly id: string;
  readonly name?: string;
  readonly animals: readonly string[];
}

export function readAnimalDeclaration(resource: Fields): Declaration {
  const key = readAnimal(resource.needObject('identifier'));
  if (!resource.has('specie')) resource.reject('specie', 'specie is missing.');
  return { declares: 'animal', animal: readAnimalDetail(resource, key) };
}

export function readAnimalDetail(detail: Fields, key: string): DeclaredAnimal {
  const ext = detail.object('ext');
  const { ageClass, enterprise } = ext ? readClaim(ext) : {};
  const said = {
    species: speciesNamed(detail.text('specie')),
    sex: detail.text('gender'),
    breed: detail.object('primaryBreed')?.id('id'),
    name: detail.text('name'),
    managementTag: detail.text('managementTag'),
  };
  return { key, ...present(said), claim: present({ ageClass, enterprise }) };
}

export function readAnimalSet(resource: Fields): Declaration {
  const set = { id: resource.needId('id'), animals: [...new Set(resource.list('member', readAnimal))] };
  return { declares: 'animal set', set: { ...set, ...present({ name: resource.text('name') }) } };
}
