import type { Declaration, StockEvent, Statement } from '../statement.js';
import type { Fields } from './fields.js';
import { speciesNamed } from './species.js';
import { readAnimal, readClaim, readSubject, type Whom } from './subject.js';
import { present } from './trade.js';

/** A mob or an enterprise. */
export interface Named {
  readonly id: string;
  readonly name?: string;
  readonly species?: string;
}

export const readNamed =
  (declares: 'mob' | 'enterprise') =>
  (resource: Fields): Declaration => {
    const said = { name: resource.text('name'), species: speciesNamed(resource.text('species')) };
    return { declares, named: { id: resource.needId('id'), ...present(said) } };
  };

export function readMobTransfer(event: Fields): StockEvent {
  const from = event.needObject('from').needId('mobId');
  const to = event.needList('to', (line) => {
    if (!line.has('mobId')) line.reject('mobId', 'mobId is missing.');
    return { ...readClaim(line), head: line.needHead('head') };
  });
  return { does: 'transfer', from, to };
}

export function readReclassification(event: Fields): StockEvent {
  const from = readClassAndEnterprise(event.object('from'));
  const to = readClassAndEnterprise(event.needObject('to'));
  if (to.ageClass === undefined && to.enterprise === undefined)
    event.reject('to', 'to names neither an ageClass nor an enterpriseId.');
  const animals = readAnimals(event);
  const said = {
    species: speciesNamed(event.text('species')),
    mob: event.id('mobId'),
    head: event.head('head'),
  };
  if (animals.length === 0 && said.mob === undefined)
    event.reject('mobId', 'mobId is missing: give a mobId with head, or animals.');
  if (animals.length === 0 && said.head === undefined)
    event.reject('head', 'head is missing: give a mobId with head, or animals.');
  return {
    does: 'reclassify',
    subject: { ...present(said), ...from, animals },
    to,
    ...present({ cause: event.text('cause', 200) }),
  };
}

export function readPaddockMove(event: Fields): StockEvent {
  const animals = readAnimals(event);
  const said = { mob: event.id('mobId'), head: event.head('head') };
  if (animals.length === 0 && said.mob === undefined)
    event.reject('mobId', 'mobId is missing: give a mobId or animals.');
  return { does: 'move', subject: { ...present(said), animals }, toPaddock: event.needId('toPaddockId') };
}

export const readSetMembership =
  (does: 'join' | 'part') =>
  (event: Fields): StockEvent => {
    return { does, animals: [readAnimal(event.needObject('animal'))], mob: event.needId('animalSetId') };
  };

/** An observed position counts as a paddock move when it names a paddock; a bare geometry only as a note. */
export const readPosition =
  (whom: Whom) =>
  (event: Fields): Statement => {
    const ext = event.object('ext');
    const subject = readSubject(whom, event, ext);
    const { paddock, ...who } = subject;
    const toPaddock = paddock ?? event.id('positionName');
    return toPaddock === undefined
      ? { notes: 'position' }
      : { does: 'move', subject: who, toPaddock, observed: paddock === undefined };
  };

function readClassAndEnterprise(fields: Fields | undefined): { ageClass?: string; enterprise?: string } {
  return present({ ageClass: fields?.text('ageClass'), enterprise: fields?.id('enterpriseId') });
}

function readAnimals(event: Fields): string[] {
  return [...new Set(event.list('animals', readAnimal))];
}
