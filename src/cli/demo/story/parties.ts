/** Someone the farm trades with, and the property the stock come from or go to. */
export interface Party {
  readonly name: string;
  readonly pic: string;
}

export const RAM_STUD: Party = { name: 'Glenmoor Merino Stud', pic: 'NG220418' };
export const DORSET_STUD: Party = { name: 'Ashby Poll Dorsets', pic: 'NC310977' };
export const ANGUS_STUD: Party = { name: 'Coolabah Angus', pic: 'NB118352' };
export const EWE_BREEDER: Party = { name: 'K. & M. Brennan', pic: 'NH477019' };
export const STEER_BREEDER: Party = { name: 'Tarrawonga Pastoral', pic: 'NJ604211' };
export const SALEYARD: Party = { name: 'Carcoar saleyards', pic: 'NC000412' };
export const MEATWORKS: Party = { name: 'Central West Meats', pic: 'NK905530' };
export const RESTOCKER: Party = { name: 'Mulwarrie Grazing', pic: 'NF812066' };
export const BULL_BUYERS: readonly [Party, ...Party[]] = [
  { name: 'Hartnett Bros', pic: 'NH402288' },
  { name: 'Old Junction Station', pic: 'NE719034' },
  { name: 'R. Dunphy', pic: 'NH455172' },
];

export const AGENT = 'Lachlan Valley Livestock';
