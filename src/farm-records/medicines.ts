import type { Medicine, Treatment } from './resources/index.js';

/** The medicines a farm has declared. Of two words on the same one, the later added holds. */
export class Medicines {
  private readonly byId = new Map<string, Medicine>();
  private readonly byRegistration = new Map<string, Medicine>();

  add(medicine: Medicine): void {
    this.byId.set(medicine.id, medicine);
    if (medicine.registrationNo !== undefined) this.byRegistration.set(medicine.registrationNo, medicine);
  }

  /** The medicine that a treatment names by its id, or else by its registration. */
  of({ medicineIds }: Treatment): Medicine | undefined {
    for (const known of [this.byId, this.byRegistration])
      for (const id of medicineIds) if (known.has(id)) return known.get(id);
    return undefined;
  }
}
