import type { Column } from '../generator.js';

function head(name: string, description: string): Column {
  return { name, type: 'integer', unit: 'head', description, controlTotal: true };
}

function value(name: string, description: string): Column {
  return {
    name,
    type: 'decimal',
    unit: 'currency',
    description: `${description}; on species subtotals and the total only`,
  };
}

export const COLUMNS: readonly Column[] = [
  { name: 'species', type: 'text', unit: 'none', description: 'Species' },
  { name: 'enterprise', type: 'text', unit: 'none', description: 'Business line the stock belong to' },
  { name: 'enterprise_id', type: 'text', unit: 'none', description: 'Id of the enterprise', jsonOnly: true },
  { name: 'age_class', type: 'text', unit: 'none', description: 'Age class' },
  head('opening', 'Head at the start of the first local day, with the opening stock of that day'),
  head('births', 'Born'),
  head('purchases', 'Bought'),
  head('transfers_in', 'Arrived without being bought: own transfers, agistment and the like'),
  head('class_in', 'Came from another age class of the same enterprise, net per local day'),
  head('enterprise_in', 'Came from another enterprise, net per local day'),
  head('adjust_in', 'Added to the book: booked counts, opening stock inside the period, other corrections'),
  head('sales', 'Sold, less sale returns'),
  head('deaths', 'Died'),
  head('missing', 'Lost or stolen'),
  head('rations', 'Eaten on the farm'),
  head('transfers_out', 'Departed without being sold'),
  head('class_out', 'Went to another age class of the same enterprise, net per local day'),
  head('enterprise_out', 'Went to another enterprise, net per local day'),
  head('adjust_out', 'Taken off the book: booked counts, other corrections'),
  head('closing', 'Head at the end of the last local day: opening + in - out'),
  { name: 'counted', type: 'integer', unit: 'head', description: 'Head at the last count in the period' },
  { name: 'count_date', type: 'date', unit: 'day', description: 'Local day of that count' },
  {
    name: 'unreconciled',
    type: 'integer',
    unit: 'head',
    description: 'Counted minus book at the count, as far as not booked',
  },
  value('opening_value', 'Value of the opening'),
  value('births_value', 'Births at their natural-increase value'),
  value('purchase_value', 'Landed cost of purchases'),
  {
    name: 'average_cost',
    type: 'decimal',
    unit: 'currency/head',
    description:
      '(opening_value + purchase_value + births_value) / (opening + purchases + births); on species subtotals, and on the total of one species',
  },
  value('sales_value', 'Gross proceeds of sales'),
  value('rations_value', 'Rations at average cost'),
  value('closing_value', 'Closing head at average cost'),
  value(
    'gross_profit',
    'sales_value - (opening_value + purchase_value - closing_value - rations_value), plus transfers out, less transfers in, at average cost',
  ),
];
