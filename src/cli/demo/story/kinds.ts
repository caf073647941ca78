/** A kind of stock on the sample farm: what an inventory line calls it. */
export interface Kind {
  readonly species: 'Sheep' | 'Cattle';
  readonly ageClass: string;
  readonly enterprise: string;
  readonly sex: 'Female' | 'Male' | 'MaleNeuter' | 'Unknown';
  readonly breed: string;
}

const merino = { species: 'Sheep', enterprise: 'merino', breed: 'Merino' } as const;
const primeLamb = { species: 'Sheep', enterprise: 'prime-lamb', breed: 'Merino' } as const;
const beef = { species: 'Cattle', enterprise: 'beef', breed: 'Angus' } as const;
const trading = { species: 'Cattle', enterprise: 'steers', breed: 'Angus' } as const;

export const MERINO_EWE: Kind = { ...merino, ageClass: 'ewe', sex: 'Female' };
export const MERINO_HOGGET: Kind = { ...merino, ageClass: 'ewe_hogget', sex: 'Female' };
export const MERINO_LAMB: Kind = { ...merino, ageClass: 'lamb', sex: 'Unknown' };
export const MERINO_WETHER: Kind = { ...merino, ageClass: 'wether', sex: 'MaleNeuter' };
export const MERINO_RAM: Kind = { ...merino, ageClass: 'ram', sex: 'Male' };
/** Finds the ewes that are ready to join. Nobody has rated it in DSE. */
export const TEASER: Kind = { ...merino, ageClass: 'teaser', sex: 'MaleNeuter' };

export const LAMB_EWE: Kind = { ...primeLamb, ageClass: 'ewe', sex: 'Female' };
export const LAMB_RAM: Kind = { ...primeLamb, ageClass: 'ram', sex: 'Male', breed: 'Poll Dorset' };
export const PRIME_LAMB: Kind = {
  ...primeLamb,
  ageClass: 'lamb',
  sex: 'Unknown',
  breed: 'Poll Dorset x Merino',
};

export const COW: Kind = { ...beef, ageClass: 'cow', sex: 'Female' };
export const HEIFER: Kind = { ...beef, ageClass: 'heifer', sex: 'Female' };
export const CALF: Kind = { ...beef, ageClass: 'calf', sex: 'Unknown' };
export const BULL: Kind = { ...beef, ageClass: 'bull', sex: 'Male' };
export const STEER: Kind = { ...trading, ageClass: 'steer', sex: 'MaleNeuter' };
