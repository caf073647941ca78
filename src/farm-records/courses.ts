import type { HeadLine } from './head-line.js';
import type { Medicine, Treatment } from './resources/index.js';

/** Days of withholding; absent: not known. */
export interface DaysWithheld {
  readonly whp?: number;
  readonly esi?: number;
}

type Treated = Pick<HeadLine, 'animal' | 'mob'>;

/** A course as one mob or animal goes through it: farms call what they give to several mobs by one name. */
export function courseOf(id: string | undefined, { animal, mob }: Treated): string {
  return JSON.stringify(animal === '' ? [id, mob] : [id, '', animal]);
}

/** The days said with a treatment, else the medicine's. */
export function daysStated(treatment: Treatment, medicine: Medicine | undefined): DaysWithheld {
  const whp = treatment.whpDays ?? medicine?.whpDays;
  const esi = treatment.esiDays ?? medicine?.esiDays;
  return { ...(whp !== undefined && { whp }), ...(esi !== undefined && { esi }) };
}

/**
 * The longest withholding that the doses of each course have stated so far. Days count from the last dose of a course, whatever
 * that one says: so each dose withholds for them again, and one that states none is not taken for one without.
 */
export class Courses {
  private readonly days = new Map<string, DaysWithheld>();

  note(id: string, treated: Treated, days: DaysWithheld): void {
    const key = courseOf(id, treated);
    this.days.set(key, longest(this.days.get(key) ?? {}, days));
  }

  /** What doses before stated for a mob, or for an animal and the mob that it stands in. */
  daysOf(id: string, { animal, mob }: Treated): DaysWithheld {
    const own = this.days.get(courseOf(id, { animal, mob })) ?? {};
    return animal === '' || mob === '' ? own : longest(own, this.daysOf(id, { animal: '', mob }));
  }
}

export function longest(one: DaysWithheld, other: DaysWithheld): DaysWithheld {
  const most = (kind: keyof DaysWithheld) => {
    const [a, b] = [one[kind], other[kind]];
    return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
  };
  const [whp, esi] = [most('whp'), most('esi')];
  return { ...(whp !== undefined && { whp }), ...(esi !== undefined && { esi }) };
}
